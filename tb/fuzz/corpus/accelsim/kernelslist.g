MemcpyHtoD,0x00007efe7b500a00,262144
kernel-1.traceg

MemcpyHtoD,0x00007efe7b540a00,4
kernel-2.traceg.xz
