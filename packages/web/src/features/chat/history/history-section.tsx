import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { HistoryGroup } from "./history-groups.ts";
import styles from "./history-pane.module.css";
import type { HistoryActions } from "./use-history-actions.ts";

type Props = {
  group: HistoryGroup;
  /** Whether the conversation that is shown is in it. */
  isCurrent: boolean;
  actions: HistoryActions;
  children: ReactNode;
};

/** The conversations under one heading of the history; a folder can be folded, renamed and dissolved. */
export function HistorySection({ group: { kind, name, conversations }, isCurrent, actions, children }: Props) {
  if (kind !== "folder")
    return (
      <section>
        <h2 className="label">{name}</h2>
        <ul>{children}</ul>
      </section>
    );
  return (
    <section className={styles.folder}>
      <details open={isCurrent || undefined}>
        <summary>
          <bdi>{name}</bdi> <span className="tiny faint">{conversations.length}</span>
        </summary>
        <ul>{children}</ul>
      </details>
      <Menu.Root>
        <Menu.Trigger className="plain" aria-label={t`Menu of the folder ${name}`}>
          ···
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu-pop">
              <Menu.Item className="item" onClick={() => actions.renameFolder(name)}>{t`Rename`}</Menu.Item>
              <Menu.Item className="item" onClick={() => void actions.dissolveFolder(name)}>
                {t`Dissolve: its chats stay`}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </section>
  );
}
