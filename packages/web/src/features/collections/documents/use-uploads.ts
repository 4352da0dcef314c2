import { createUuid } from "@feather/sdk";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#/lib/error-message.ts";

/** A file that is added to a collection, one after the other; `problem` says why it could not be. */
export type Upload = {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  state: "queued" | "sending" | "added" | "failed";
  problem: string | null;
};

/** Sends a file. Throws its error with a message for people. */
type SendFile = (file: File, signal: AbortSignal) => PromiseLike<unknown>;

/**
 * Sends files one after the other, since the server reads one document of a person at a time. Files that cannot be added do not hold up
 * those after them. Leaving the page ends it: what has not been added by then is not.
 */
export function useUploads(send: SendFile, added: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current.abort();
  }, []);

  const set = (id: string, change: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

  async function sendNext(file: File, id: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    set(id, { state: "sending" });
    try {
      await send(file, signal);
      if (signal.aborted) return;
      set(id, { state: "added" });
      added();
    } catch (error) {
      if (!signal.aborted) set(id, { state: "failed", problem: errorMessage(error) });
    }
  }

  return {
    uploads,
    add(files: readonly File[]): void {
      const { signal } = controller.current;
      const chosen = files.map((file) => ({ file, id: createUuid() }));
      const rows = chosen.map(({ file: { name, size }, id }) => ({ ...QUEUED, id, name, size }));
      setUploads((now) => [...now, ...rows]);
      for (const { file, id } of chosen) queue.current = queue.current.then(() => sendNext(file, id, signal));
    },
    /** Takes those off the list that have been added or could not be. */
    clear: () => setUploads((now) => now.filter(isUnfinished)),
  };
}

const QUEUED = { state: "queued", problem: null } as const;

/** Whether a file is still to be added. */
export const isUnfinished = ({ state }: Pick<Upload, "state">): boolean => state === "queued" || state === "sending";
