import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { Hub } from "../hub/hub.ts";
import { download, WrongFile } from "./download.ts";
import { ggufFacts } from "./gguf-facts.ts";
import { diskFull } from "./store.errors.ts";
import type { PullRow, StoredFile, StoreRepository } from "./store.repository.ts";
import type { StoreFolder } from "./store-folder.ts";

type Deps = {
  db: Database;
  store: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  sealer: Sealer;
  clock: Clock;
  log: Pick<Logger, "error">;
  /** Called for each file that is complete and verified. */
  stored(file: StoredFile): Promise<void>;
};

const AT_A_TIME = 2;
const LEASE = 30_000;
const HEARTBEAT = 1_000;
const MOST_TRIES = 10;
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 300_000;
const STOPPED = new Error("The server is being stopped.");
const CANCELED = new Error("The download was canceled.");

/** Runs the queued downloads. One whose process died is taken over after its lease has expired. */
export function createPullRunner({ db, store, folder, hub, sealer, clock, log, stored }: Deps) {
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  let looking = Promise.resolve();
  let stopped = false;
  const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  async function claimAll(): Promise<void> {
    while (!stopped && running.size < AT_A_TIME) {
      const row = await store.claim(clock.now(), later(LEASE));
      if (!row || running.has(row.id)) return;
      const abort = new AbortController();
      const done = work(row, abort).finally(() => {
        running.delete(row.id);
        look();
      });
      running.set(row.id, { abort, done });
    }
  }

  function look(): Promise<void> {
    looking = looking
      .then(claimAll)
      .catch((error: unknown) => log.error({ err: error }, "downloads are not looked for"));
    return looking;
  }

  async function work(row: PullRow, abort: AbortController): Promise<void> {
    let bytes = row.bytes_done;
    const beat = setInterval(() => {
      store.update(row.id, { bytes_done: bytes, lease_until: later(LEASE), updated_at: clock.now() }).then(
        (mine) => mine || abort.abort(CANCELED),
        () => {}, // the lease outlasts several missed heartbeats
      );
    }, HEARTBEAT);
    try {
      const progress = (count: number) => {
        bytes = count;
      };
      await finish(row, await fetchFile(row, progress, abort.signal));
    } catch (error) {
      await failed(row, abort.signal.aborted ? abort.signal.reason : error, bytes).catch((cause: unknown) =>
        log.error({ err: cause, pull: row.id }, "a download could not be noted"),
      );
    } finally {
      clearInterval(beat);
    }
  }

  /** Downloads the file into the store, unless it is there already, and returns its checksum. */
  async function fetchFile(row: PullRow, progress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
    const { model_id: id, file: path, revision, sha256, bytes_total: size, sealed_token } = row;
    if (sha256 !== null && (await folder.holds(sha256, size))) {
      await folder.touch(sha256, clock.now());
      return sha256;
    }
    const part = folder.partOf(row);
    const room = await folder.room(part, size);
    if (!room.fits) throw diskFull(room.needed, room.free);
    const verifying = () => void store.update(row.id, { state: "verifying", bytes_done: size }).catch(() => {});
    const token = sealed_token === null ? undefined : sealer.open(sealed_token);
    const found = await download(
      hub,
      { id, path, revision, token, size, sha256 },
      { part, progress, verifying, signal },
    );
    await folder.keep(part, found);
    return found;
  }

  async function finish(row: PullRow, sha256: string): Promise<void> {
    const facts = await ggufFacts(folder.pathOf(sha256)).catch(async (error: unknown) => {
      await folder.remove(sha256);
      throw new WrongFile(`${row.file} is not a GGUF file that can be read: ${messageOf(error)}.`);
    });
    const now = clock.now();
    const file = {
      model_id: row.model_id,
      file: row.file,
      revision: row.revision,
      organization_id: row.organization_id,
      sha256,
      size: row.bytes_total,
      architecture: facts.architecture,
      context_length: facts.contextLength,
      bytes_per_token: facts.bytesPerToken,
      has_chat_template: facts.hasChatTemplate,
      created_at: now,
    };
    const ended = { state: "done", bytes_done: row.bytes_total, error: null, sealed_token: null, lease_until: null };
    const kept = await db.transaction().execute(async (trx) => {
      if (!(await store.update(row.id, { ...ended, updated_at: now }, trx))) return false;
      await store.saveFile(file, trx);
      return true;
    });
    if (kept) await stored(file);
  }

  async function failed(row: PullRow, error: unknown, bytes: number): Promise<void> {
    if (error === CANCELED) return;
    const note = { bytes_done: bytes, updated_at: clock.now() };
    if (error === STOPPED) {
      await store.update(row.id, { ...note, state: "queued", lease_until: null });
      return;
    }
    const attempts = bytes > row.bytes_done ? 1 : row.attempts + 1;
    const message = messageOf(error);
    if (error instanceof AppError && error.status >= 500 && attempts < MOST_TRIES) {
      const pause = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE);
      await store.update(row.id, { ...note, state: "queued", attempts, error: message, lease_until: later(pause) });
      return;
    }
    if (!(error instanceof AppError || error instanceof WrongFile))
      log.error({ err: error, pull: row.id }, "a download failed");
    await store.update(row.id, { ...note, state: "failed", error: message, sealed_token: null, lease_until: null });
  }

  return {
    /** Starts queued downloads, up to `MAX_CONCURRENT_PULLS`. */
    look,
    /** Aborts a canceled download if it runs in this process. */
    abort: (id: string): void => running.get(id)?.abort.abort(CANCELED),
    job: { name: "fetch model files", everySeconds: 5, run: look },
    /** Aborts all downloads of this process and queues them again; they continue where they stopped. */
    async stop(): Promise<void> {
      stopped = true;
      for (const { abort } of running.values()) abort.abort(STOPPED);
      await Promise.all([...running.values()].map(({ done }) => done));
    },
    /** Resolves when no download runs any more. */
    async settled(): Promise<void> {
      await looking;
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

export type PullRunner = ReturnType<typeof createPullRunner>;

function messageOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "The disk is full.";
  return error instanceof Error ? error.message : String(error);
}
