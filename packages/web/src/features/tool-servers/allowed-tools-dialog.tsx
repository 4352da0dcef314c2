import type { ToolServer } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { AllowedToolsForm } from "./allowed-tools-form.tsx";
import { type Owner, serverToolsQuery } from "./owner.ts";

type Props = {
  owner: Owner;
  server: ToolServer;
  /** Whether saving also switches the server on, as after it was registered. */
  switchesOn: boolean;
  close(): void;
};

/** Asks a server for its tools, and chooses those that may be called. What is wrong with the server is shown. */
export function AllowedToolsDialog({ owner, server, switchesOn, close }: Props) {
  const { data, error, isFetching, refetch } = useQuery(serverToolsQuery(owner, server.name));
  return (
    <Dialog open onClose={close} title={t`Tools of ${server.name}`}>
      <div className="mt-4">
        {isFetching ? (
          <div role="status" aria-label={t`The server is being asked`}>
            <Skeleton height={120} />
          </div>
        ) : (
          <>
            <ErrorNotice error={error} />
            {data?.problems.map((problem) => (
              <p key={problem} className="notice quiet user-text mb-4" role="status">
                {problem}
              </p>
            ))}
            {data?.items.length === 0 && data.problems.length === 0 ? <p>{t`It has no tools.`}</p> : null}
          </>
        )}
        {!isFetching && data && data.items.length > 0 ? (
          <AllowedToolsForm owner={owner} server={server} tools={data.items} switchesOn={switchesOn} close={close} />
        ) : (
          <div className="actions">
            <button type="button" className="btn" onClick={close}>
              {t`Close`}
            </button>
            <button type="button" className="btn" disabled={isFetching} onClick={() => void refetch()}>
              {t`Ask again`}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
