#include "instruction_descriptor.hpp"
