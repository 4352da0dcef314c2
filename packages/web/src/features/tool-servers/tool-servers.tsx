import type { ToolServer } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { useAction } from "#/lib/use-action.ts";
import { AllowedToolsDialog } from "./allowed-tools-dialog.tsx";
import { listChangedKeys, type Owner, serversOf, toolServersQuery, toRequest } from "./owner.ts";
import { ToolServerCard } from "./tool-server-card.tsx";
import { ToolServerDialog } from "./tool-server-dialog.tsx";

type Props = {
  owner: Owner;
  /** Renders the header of the page, with a button once there are servers. */
  renderHeader(action: ReactNode): ReactNode;
};

/** Which dialog is open: none, the form of a server (null for a new one), or the choice of its tools. */
type OpenDialog =
  | null
  | { kind: "server"; server: ToolServer | null }
  | { kind: "tools"; server: ToolServer; switchesOn: boolean };

/** The servers of tools of an owner below the header of the page, which can be added, changed, switched and removed. */
export function ToolServers({ owner, renderHeader }: Props) {
  const list = useQuery(toolServersQuery(owner));
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const actions = useServerActions(owner);
  const addButton = (
    <button type="button" className="btn primary" onClick={() => setDialog({ kind: "server", server: null })}>
      {t`Add a server`}
    </button>
  );
  return (
    <>
      {renderHeader(list.data && list.data.items.length > 0 ? addButton : undefined)}
      <p className="mb-5">
        <Link className="link" to={paths.docs("tools")}>
          {t`How tools are registered and called`}
        </Link>
      </p>
      <Loaded subject={t`the servers of tools`} query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t`No servers of tools yet`} action={addButton}>
              {t`Add one that speaks the Model Context Protocol. Models in chats and programs can then call its tools, for example to search documentation or read tickets.`}
            </EmptyState>
          ) : (
            <ul className={styles.list}>
              {items.map((item) => (
                <ToolServerCard
                  key={item.name}
                  server={item}
                  actions={{
                    ...actions,
                    chooseTools: (server) => setDialog({ kind: "tools", server, switchesOn: false }),
                    change: (server) => setDialog({ kind: "server", server }),
                  }}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <TerminalCommand command={`feather tools servers list${owner === "everybody" ? " --everybody" : ""}`} />
      <OpenedDialog owner={owner} dialog={dialog} servers={list.data?.items ?? []} setDialog={setDialog} />
    </>
  );
}

type OpenedDialogProps = {
  owner: Owner;
  dialog: OpenDialog;
  servers: readonly ToolServer[];
  setDialog(dialog: OpenDialog): void;
};

/** The open dialog. A server that was registered is asked for its tools next. */
function OpenedDialog({ owner, dialog, servers, setDialog }: OpenedDialogProps) {
  const close = () => setDialog(null);
  if (dialog === null) return null;
  if (dialog.kind === "tools")
    return <AllowedToolsDialog owner={owner} server={dialog.server} switchesOn={dialog.switchesOn} close={close} />;
  const { server } = dialog;
  return (
    <ToolServerDialog
      owner={owner}
      server={server}
      taken={servers.map(({ name }) => name).filter((name) => name !== server?.name)}
      saved={(stored) => (server ? close() : setDialog({ kind: "tools", server: stored, switchesOn: true }))}
      close={close}
    />
  );
}

/** Returns the actions on a server that need no form. They tell their outcome in a toast. */
function useServerActions(owner: Owner) {
  const confirm = useConfirm();
  const invalidates = listChangedKeys(owner);
  const switching = useAction(
    ({ server, isEnabled }: { server: ToolServer; isEnabled: boolean }) =>
      serversOf(owner).set(server.name, { ...toRequest(server), is_enabled: isEnabled }),
    {
      success: ({ name, is_enabled }) => (is_enabled ? t`${name} is switched on` : t`${name} is switched off`),
      invalidates,
    },
  );
  const removal = useAction(({ name }: ToolServer) => serversOf(owner).delete(name), {
    success: (_, { name }) => t`${name} is removed`,
    invalidates,
  });
  return {
    setEnabled: (server: ToolServer, isEnabled: boolean) => void switching.run({ server, isEnabled }),
    remove: (server: ToolServer) =>
      confirm({
        title: t`Remove ${server.name}?`,
        description: t`Its tools can no longer be called, and its secret is deleted. Calls that are being answered go on to their end.`,
        confirmButtonText: t`Remove the server`,
        destructive: true,
        action: async () => void (await removal.run(server)),
      }),
  };
}
