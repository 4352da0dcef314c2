import { openInspector } from "./inspector.ts";
import { readUse } from "./processes.ts";

/** Memory of a process, in megabytes. */
export type MemoryUse = { residentMb: number; heapMb: number };

/** Returns the memory of a process started with `--inspect` on a port, after garbage collection. */
export async function memoryAfterCollection(pid: number, port: number): Promise<MemoryUse> {
  const inspector = await openInspector(port);
  for (let round = 0; round < 3; round++) await inspector.call("HeapProfiler.collectGarbage");
  const { usedSize } = await inspector.call<{ usedSize: number }>("Runtime.getHeapUsage");
  inspector.close();
  return { residentMb: readUse([pid]).residentMb, heapMb: usedSize / 2 ** 20 };
}
