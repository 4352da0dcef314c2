import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { ModelId, State } from "#/components/ui/bits.tsx";
import { Moment } from "#/features/admin/cells.tsx";
import { FormDialog } from "#/features/admin/forms/form-dialog.tsx";
import { optionalWords, textOf } from "#/features/admin/forms/rules.ts";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { bytes, progressOf } from "#/features/admin/models/bytes.ts";
import { MODEL_ID } from "#/features/admin/models/model-fields.ts";
import { pullsQuery } from "#/features/admin/models/queries.ts";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { useAct, useSaved } from "#/features/admin/use-act.ts";
import { feather } from "#/lib/feather.ts";

type Pull = Schemas["StorePull"];

const TIERS: Record<Pull["state"], string> = {
  queued: "offline",
  downloading: "loading",
  verifying: "loading",
  done: "good",
  failed: "bad",
  canceled: "offline",
};
const RUNNING: readonly Pull["state"][] = ["queued", "downloading", "verifying"];

const COLUMNS: Column<Pull>[] = [
  {
    head: t`Model`,
    cell: ({ model_id, file }) => (
      <>
        <ModelId id={model_id} />
        <div className="mono small dim stranger">{file}</div>
      </>
    ),
  },
  {
    head: t`Fetched`,
    cell: (pull) =>
      pull.bytes_total === null ? bytes(pull.bytes_done) : t`${bytes(pull.bytes_done)} of ${bytes(pull.bytes_total)}`,
    figure: true,
    wide: true,
  },
  { head: t`Begun`, cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
  {
    head: t`State`,
    cell: (pull) => (
      <span className="small">
        <State tier={TIERS[pull.state]}>
          {pull.state === "downloading" ? t`downloading ${progressOf(pull)}` : pull.state}
        </State>
        {pull.error ? <div className="tiny dim cell-note stranger">{pull.error}</div> : null}
      </span>
    ),
  },
];

const rules = z.object({
  model_id: z.string().regex(MODEL_ID, { error: t`Model is not valid: owner/name.` }),
  file: optionalWords(t`File`, 300),
});

/** Downloads of model files from the hub to this machine. */
export default function AdminDownloadsPage() {
  const pulls = useQuery(pullsQuery);
  const [asking, setAsking] = useState(false);
  const act = useAct();
  const saved = useSaved();
  const download = (
    <button type="button" className="btn primary" onClick={() => setAsking(true)}>
      {t`Download a model`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Downloads`}
        about={t`Files of models that are fetched from the hub to this machine. Their checksums are checked, then the model can be called.`}
        action={download}
        query={pulls}
        columns={[
          ...COLUMNS,
          menuColumn(
            ({ model_id }: Pull) => model_id,
            ({ id, model_id, file, state }) => [
              RUNNING.includes(state) && {
                label: t`Stop`,
                run: () =>
                  void act(() => feather.admin.store.pulls.cancel(id), { title: t`Stopped. What came is kept.` }),
              },
              (state === "failed" || state === "canceled") && {
                label: t`Resume`,
                run: () =>
                  void act(() => feather.admin.store.pulls.create({ model_id, file }), { title: t`It goes on` }),
              },
            ],
          ),
        ]}
        idOf={({ id }) => id}
        nameOf={({ model_id }) => model_id}
        empty={{
          title: t`Nothing was downloaded yet`,
          text: t`Fetch a model in GGUF form to run it on this machine, without another program.`,
          action: download,
        }}
      />
      {asking ? (
        <FormDialog
          open
          title={t`Download a model`}
          description={t`It resumes where it was stopped before.`}
          close={() => setAsking(false)}
          schema={rules}
          initial={{ model_id: "", file: "" }}
          fields={[
            {
              name: "model_id",
              label: t`Model`,
              autoFocus: true,
              hint: t`owner/name of a repository with GGUF files.`,
            },
            { name: "file", label: t`File`, hint: t`Empty: the one of about 4 bits a weight.` },
          ]}
          submitLabel={t`Download`}
          submit={async ({ model_id, file }) => {
            const name = textOf(file);
            await feather.admin.store.pulls.create({ model_id, ...(name !== null && { file: name }) });
            await saved(t`${model_id} is being fetched`);
          }}
        />
      ) : null}
    </>
  );
}
