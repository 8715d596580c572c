# SPDX-License-Identifier: Apache-2.0
"""What the C functions say to programs that use them wrongly: a status and a text, and the process goes on."""
import ctypes
import ctypes.util
import json
import unittest

import tcsim

BAD_ARGUMENT, BAD_CONFIGURATION, TOO_LATE, NOT_ADDRESSED, IN_CALLBACK, MODEL_STOPPED = 1, 2, 3, 4, 5, 6


class Misuse(unittest.TestCase):
    def refused(self, status, text, action):
        with self.assertRaises(tcsim.Error) as caught:
            action()
        self.assertEqual(caught.exception.status, status)
        self.assertIn(text, str(caught.exception))

    def test_in_the_order_of_a_simulation(self):   # there is one simulation in a process
        library = tcsim.load()
        create = lambda *arguments: tcsim.Device(library, *arguments)
        self.refused(BAD_CONFIGURATION, "did you mean \"turing\"?", lambda: create("gpu", "turin"))
        self.refused(BAD_CONFIGURATION, "sms", lambda: create("gpu", "turing", ["sms=no"]))
        self.refused(BAD_CONFIGURATION, "nobody has registered \"mine\"", lambda: create("gpu", "turing", ["units.register_bank=mine"]))
        self.refused(BAD_ARGUMENT, "is no name", lambda: create("a gpu", "turing"))
        device = create("gpu", "turing", ["sms=1"])
        self.refused(BAD_ARGUMENT, "there is a device of this name", lambda: create("gpu", "turing"))
        other = create("other", "volta", ["sms=1"])
        nested = []   # what a memory of the program's is told that asks for itself

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
        def ask(_, address, data, count):
            nested.append(library.tcsim_peek(asked, address, data, count))
            return 0

        half = tcsim.Options(size=ctypes.sizeof(tcsim.Options), read_memory=ctypes.cast(ask, ctypes.c_void_p))
        self.refused(BAD_ARGUMENT, "needs both read_memory and write_memory",
                     lambda: device.call("create", b"half", b"volta", ctypes.byref(half), ctypes.byref(ctypes.c_void_p())))
        asked, moves = ctypes.c_void_p(), ctypes.cast(ask, ctypes.c_void_p)
        options = tcsim.Options(size=ctypes.sizeof(tcsim.Options), read_memory=moves, write_memory=moves)
        device.call("create", b"asked", b"volta", ctypes.byref(options), ctypes.byref(asked))
        device.call("peek", asked, 0, ctypes.create_string_buffer(4), 4)
        self.assertEqual(nested, [IN_CALLBACK])
        self.refused(BAD_ARGUMENT, "no device", lambda: device.call("write_register", ctypes.c_void_p(8), 0, 0))
        self.refused(NOT_ADDRESSED, "gpu: no register to write at offset 0", lambda: device.call("write_register", device.handle, 0, 0))
        self.refused(NOT_ADDRESSED, "offset 4096", lambda: device.call("write_register", device.handle, 4096, 0))
        value = ctypes.c_uint32()
        device.call("read_register", device.handle, tcsim.REGISTERS["ring_entries"], ctypes.byref(value))
        self.assertEqual(value.value, 0)
        self.refused(BAD_ARGUMENT, "a place for the value is needed", lambda: device.call("read_register", device.handle, 0, None))
        self.refused(NOT_ADDRESSED, "gpu: no register to read at offset 4096",
                     lambda: device.call("read_register", device.handle, 4096, ctypes.byref(value)))
        self.refused(TOO_LATE, "before time begins", lambda: create("late", "turing"))
        self.refused(NOT_ADDRESSED, "not all of these bytes", lambda: device.peek((1 << 32) - 1, 2))

        device.call("advance", 10**6)
        self.assertEqual(library.tcsim_now(), 10**6)
        self.refused(BAD_ARGUMENT, "has passed", lambda: device.call("advance", 1))
        self.refused(BAD_ARGUMENT, "9223372036854775807 ps at most", lambda: device.call("advance", 2**64 - 1))

        statuses = []
        late = tcsim.on_done_type(lambda *_: statuses.append(library.tcsim_advance(10**9)))
        device.call("on_done", device.handle, late, None)
        idle_times = []
        idle = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: idle_times.append(library.tcsim_now()))
        device.call("on_idle", device.handle, idle, None)
        device.begin()
        device.call("read_register", device.handle, tcsim.REGISTERS["ring_entries"], ctypes.byref(value))
        self.assertEqual(value.value, device.ENTRIES)
        device.submit_gemm(1, 7, 7, 7, 0x1000, 0x2000, 0x3000)   # which no kernel multiplies, or one that is not aligned
        device.run(10**9)
        self.assertEqual(statuses, [IN_CALLBACK])
        self.assertEqual(idle_times, [library.tcsim_now()])   # where device.run() has returned
        self.assertEqual(library.tcsim_is_idle(device.handle), 1)
        self.assertEqual(library.tcsim_is_idle(other.handle), 1)
        self.assertEqual(library.tcsim_is_idle(None), 0)

        levels = []
        follow = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)(lambda _, level: levels.append(level))
        self.assertEqual(library.tcsim_on_interrupt(device.handle, follow, None), 0)
        device.write_register("interrupt_enable", 0xF)   # the device stays idle, but its interrupt follows
        device.run(10**6)
        self.assertEqual(levels, [1])

        units = json.loads(library.tcsim_statistics(device.handle))
        self.assertTrue(units and all(path.startswith("gpu.") for path in units))
        self.assertEqual(library.tcsim_period(device.handle), 629)   # 1 / 1590 MHz

        # What a program with a SystemC of its own can do to the simulation that all devices share.
        stop = ctypes.CDLL(ctypes.util.find_library("systemc"))._ZN7sc_core7sc_stopEv
        device.call("on_idle", device.handle, ctypes.cast(None, type(idle)), None)
        ended = tcsim.on_done_type(lambda *_: stop())
        device.call("on_done", device.handle, ended, None)
        device.submit_gemm(2, 7, 7, 7, 0x1000, 0x2000, 0x3000)
        self.refused(MODEL_STOPPED, "the simulation was stopped", lambda: device.run(10**9))
        self.refused(MODEL_STOPPED, "nothing can be simulated any more: the simulation was stopped", lambda: device.run(10**9))
        self.assertEqual(len(idle_times), 1)


unittest.main()
