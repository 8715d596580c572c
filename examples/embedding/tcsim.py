# SPDX-License-Identifier: Apache-2.0
"""tcsim from Python, by the C functions alone: nothing is installed or compiled. TCSIM_LIBRARY names the library if it is in no usual place."""
import ctypes
import ctypes.util
import os
import struct

GEMM, MIXED, INTERRUPT_WHEN_DONE, DONE = 3, 2, 1, 1
REGISTERS = {"control": 0x10, "interrupt_enable": 0x18, "interrupt_cause": 0x1C, "ring_base": 0x28, "ring_entries": 0x30, "tail": 0x38}


class Error(Exception):
    """A call that failed; status as in tcsim.h."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("overrides", ctypes.POINTER(ctypes.c_char_p)), ("override_count", ctypes.c_size_t),
                ("memory_bytes", ctypes.c_uint64), ("memory_latency_ps", ctypes.c_uint64), ("read_memory", ctypes.c_void_p),
                ("write_memory", ctypes.c_void_p), ("memory_user", ctypes.c_void_p), ("outstanding", ctypes.c_uint32)]


class Completion(ctypes.Structure):
    _fields_ = [("identifier", ctypes.c_uint32), ("status", ctypes.c_uint32), ("cycles", ctypes.c_uint64),
                ("instructions", ctypes.c_uint64), ("mismatches", ctypes.c_uint64), ("text", ctypes.c_char_p)]


on_done_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Completion))


def load():
    library = ctypes.CDLL(os.environ.get("TCSIM_LIBRARY") or ctypes.util.find_library("tcsim") or "libtcsim.so")
    u32, u64, size, pointer, text = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in [
            ("version", text, []), ("last_error", text, []), ("now", u64, []), ("period", u64, [pointer]),
            ("is_idle", ctypes.c_int, [pointer]), ("statistics", text, [pointer]),
            ("create", ctypes.c_int, [text, text, ctypes.POINTER(Options), ctypes.POINTER(pointer)]),
            ("read_register", ctypes.c_int, [pointer, u32, ctypes.POINTER(u32)]), ("write_register", ctypes.c_int, [pointer, u32, u32]),
            ("peek", ctypes.c_int, [pointer, u64, pointer, size]), ("poke", ctypes.c_int, [pointer, u64, pointer, size]),
            ("on_done", ctypes.c_int, [pointer, on_done_type, pointer]),
            ("advance", ctypes.c_int, [u64]), ("advance_until_idle", ctypes.c_int, [u64])]:
        function = getattr(library, "tcsim_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class Device:
    """A GPU with a memory of its own. All devices are made before the first of them is used. `outstanding`: most accesses to memory at a time;
    0: as many as the machine can have."""

    RING, ENTRIES = 0, 16

    def __init__(self, library, name, configuration, overrides=(), latency_ps=0, outstanding=0):
        self.library, self.handle, self.tail, self.completions = library, ctypes.c_void_p(), 0, []
        texts = (ctypes.c_char_p * len(overrides))(*[each.encode() for each in overrides])
        options = Options(size=ctypes.sizeof(Options), overrides=texts, override_count=len(overrides), memory_latency_ps=latency_ps,
                          outstanding=outstanding)
        self.call("create", name.encode(), configuration.encode(), ctypes.byref(options), ctypes.byref(self.handle))
        self.keep_completion = on_done_type(self.take_completion)   # as long as the library may call it
        self.call("on_done", self.handle, self.keep_completion, None)

    def call(self, name, *arguments):
        status = getattr(self.library, "tcsim_" + name)(*arguments)
        if status != 0:
            raise Error(status, self.library.tcsim_last_error().decode())

    def take_completion(self, _, completion):
        each = completion.contents
        self.completions.append((each.identifier, each.status, each.cycles, each.instructions, each.text.decode()))

    def write_register(self, name, value):
        self.call("write_register", self.handle, REGISTERS[name], value)

    def poke(self, address, data):
        self.call("poke", self.handle, address, data, len(data))

    def peek(self, address, count):
        data = ctypes.create_string_buffer(count)
        self.call("peek", self.handle, address, data, count)
        return data.raw

    def begin(self):
        self.write_register("ring_base", self.RING)
        self.write_register("ring_entries", self.ENTRIES)
        self.write_register("control", 1)

    def submit_gemm(self, identifier, m, n, k, a, b, d):
        """D = A x B of f16 with sums of f32; A and D lie row after row, B column after column."""
        command = struct.pack("<4I2Q4I3QI", GEMM, identifier, INTERRUPT_WHEN_DONE, 0, 0, 0, m, n, k, MIXED, a, b, d, 0)
        self.poke(self.RING + self.tail * 128, command.ljust(128, b"\0"))
        self.tail = (self.tail + 1) % self.ENTRIES
        self.write_register("tail", self.tail)

    def run(self, limit_ps):
        self.call("advance_until_idle", self.library.tcsim_now() + limit_ps)
