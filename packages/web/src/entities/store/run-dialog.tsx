import type { StoreFiles } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "#/components/ui/controls/select.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { formatBytes } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { pullsQuery, storeFilesQuery } from "./queries.ts";

type Props = { modelId: string; open: boolean; onClose(): void };

/** Shows what running a model on the server's machine downloads, and starts the download. */
export function RunDialog({ modelId, open, onClose }: Props) {
  const { data, error, isFetching, refetch } = useQuery({ ...storeFilesQuery(modelId), enabled: open });
  return (
    <Dialog open={open} onClose={onClose} title={t`Run ${modelId} here`}>
      {data ? (
        <FileChoice files={data} onClose={onClose} />
      ) : error && !isFetching ? (
        <>
          <p className="muted mt-3" role="alert">
            {errorMessage(error)}
          </p>
          <div className="actions">
            <button type="button" className="btn" onClick={onClose}>
              {t`Close`}
            </button>
            <button type="button" className="btn primary" onClick={() => void refetch()}>
              {t`Try again`}
            </button>
          </div>
        </>
      ) : (
        <>
          <p className="muted mt-3" role="status">{t`Looking for its files …`}</p>
          <div className="mt-3">
            <Skeleton height={120} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function FileChoice({
  files: { model_id, repository, chosen, is_conversion, reason, files },
  onClose,
}: {
  files: StoreFiles;
  onClose(): void;
}) {
  const [file, setFile] = useState(chosen ?? files[0]?.file ?? "");
  const download = useAction(() => feather.admin.store.pulls.create({ model_id, file }), {
    invalidates: [pullsQuery.queryKey, queries.models.key()],
    onSuccess: onClose,
    showsError: true,
  });
  const selected = files.find((one) => one.file === file);
  const size = formatBytes(selected?.bytes ?? 0);
  return (
    <>
      <p className="muted mt-2">
        {is_conversion
          ? t`Its repository has no GGUF file. Its safetensors files are downloaded and converted to one here, whose size is an estimate.`
          : repository === model_id
            ? t`The file comes from its own repository.`
            : t`Its own repository has no file that this machine can load; ${repository} has.`}
      </p>
      {files.length > 0 ? (
        <div className="mt-4">
          <label className="label" htmlFor="run-file">{t`File`}</label>
          <Select id="run-file" value={file} onChange={setFile} options={files.map(toOption)} />
        </div>
      ) : null}
      <p className="small muted mt-3" role={reason === null && download.error === null ? undefined : "alert"}>
        {download.error
          ? errorMessage(download.error)
          : (reason ??
            (selected?.fits
              ? t`It fits the memory of this machine.`
              : t`It is too large for the memory of this machine.`))}
      </p>
      <div className="row mt-4">
        <button
          type="button"
          className="btn primary"
          disabled={download.busy || selected?.fits !== true}
          onClick={() => void download.run()}
        >
          {is_conversion ? t`Download and convert` : t`Download ${size}`}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          {t`Not now`}
        </button>
      </div>
    </>
  );
}

function toOption({ file, bytes, quantization, fits }: StoreFiles["files"][number]) {
  const name = quantization ?? file;
  const size = formatBytes(bytes);
  return { value: file, label: fits ? t`${name}, ${size}` : t`${name}, ${size}: too large` };
}
