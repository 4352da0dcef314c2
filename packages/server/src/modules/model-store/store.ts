import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { Hub, HubModel } from "../hub/hub.ts";
import { chooseFile } from "./choose-file.ts";
import type { PullRunner } from "./pull-runner.ts";
import { diskFull, noGguf, noSuchPull, pullEnded } from "./store.errors.ts";
import type { PullRow, StoreRepository } from "./store.repository.ts";
import type { StoreFolder } from "./store-folder.ts";

/** A model file to download, and for whom. */
export type WantedFile = {
  /** The repository as read from the hub. */
  model: HubModel;
  file?: string | undefined;
  token?: string | undefined;
  /** The organization that may use the file; null for all. */
  organizationId: string | null;
  createdBy: string;
};

type Deps = {
  db: Database;
  store: StoreRepository;
  folder: StoreFolder;
  hub: Hub;
  runner: PullRunner;
  sealer: Sealer;
  clock: Clock;
  ids: Ids;
};
/** Runs in the transaction that stores the download; `isNew` is false if the same file is being downloaded already. */
type Note = (row: PullRow, trx: Database, isNew: boolean) => Promise<void>;

/** Use cases of model files: starts, lists and cancels downloads. */
export function createModelStore({ db, store, folder, hub, runner, sealer, clock, ids }: Deps) {
  /** Starts a download, or joins an active one of the same file. Throws `store.no_gguf` and `store.disk_full`. */
  async function pull({ model, file, token, organizationId, createdBy }: WantedFile, note: Note): Promise<PullRow> {
    const chosen = chooseFile(model.files, file);
    if (!chosen) throw noGguf(model.id);
    const { path, size, sha256 } = chosen;
    const named = { model_id: model.id, revision: model.revision, file: path, sha256 };
    const there = sha256 !== null && (await folder.holds(sha256, size));
    const room = await folder.room(folder.partOf(named), size);
    if (!there && !room.fits) throw diskFull(room.needed, room.free);
    const now = clock.now();
    const row = await db.transaction().execute(async (trx) => {
      const wanted = {
        ...named,
        id: ids.next("pull"),
        bytes_done: size - room.needed,
        bytes_total: size,
        sealed_token: token === undefined ? null : sealer.seal(token),
        organization_id: organizationId,
        created_by: createdBy,
        created_at: now,
        updated_at: now,
      };
      const { row: pulled, isNew } = await store.insert(wanted, trx);
      await note(pulled, trx, isNew);
      return pulled;
    });
    runner.look();
    return row;
  }

  return {
    pull,

    async pullPublic(modelId: string, file: string | undefined, createdBy: string, note: Note): Promise<PullRow> {
      return pull({ model: await hub.model(modelId), file, organizationId: null, createdBy }, note);
    },

    list: store.list,

    /** Cancels a download. The partial file is kept, so that the same download can continue it. */
    async cancel(id: string, note: Note): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await store.find(id);
        if (!row) throw noSuchPull();
        if (row.state === "canceled") return;
        const change = { state: "canceled", sealed_token: null, lease_until: null, updated_at: clock.now() };
        if (!(await store.update(id, change, trx))) throw pullEnded((await store.find(id))?.state ?? "gone");
        await note(row, trx, false);
      });
      runner.abort(id);
    },
  };
}

export type ModelStore = ReturnType<typeof createModelStore>;
