/** A connection to the inspector of a process that was started with `--inspect`. */
export type Inspector = {
  /** Calls a method of the Chrome DevTools protocol and resolves with its result. */
  call<T>(method: string, params?: object): Promise<T>;
  close(): void;
};

/** Connects to the process that listens on this inspector port. */
export async function openInspector(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  let lastId = 0;
  const call = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve) => {
      const id = ++lastId;
      const onMessage = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as { id?: number; result: T };
        if (reply.id !== id) return;
        socket.removeEventListener("message", onMessage);
        resolve(reply.result);
      };
      socket.addEventListener("message", onMessage);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { call, close: () => socket.close() };
}
