import { readFileSync } from "node:fs";

/** Memory of a process, in megabytes. */
export type MemoryUse = { residentMb: number; heapMb: number };

/** Returns the memory of a process started with `--inspect` on a port, after garbage collection. */
export async function memoryAfterCollection(pid: number, port: number): Promise<MemoryUse> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  let lastId = 0;
  const sendCommand = (method: string) =>
    new Promise<Record<string, number>>((resolve) => {
      const id = ++lastId;
      const onMessage = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as { id?: number; result: Record<string, number> };
        if (reply.id !== id) return;
        socket.removeEventListener("message", onMessage);
        resolve(reply.result);
      };
      socket.addEventListener("message", onMessage);
      socket.send(JSON.stringify({ id, method }));
    });
  for (let round = 0; round < 3; round++) await sendCommand("HeapProfiler.collectGarbage");
  const { usedSize = 0 } = await sendCommand("Runtime.getHeapUsage");
  socket.close();
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { residentMb: Number(resident) / 1024, heapMb: usedSize / 2 ** 20 };
}
