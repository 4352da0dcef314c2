import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { Conversation } from "../conversation/types.ts";
import styles from "./history-pane.module.css";
import type { HistoryActions } from "./use-history-actions.ts";

type Props = {
  conversation: Conversation;
  open: boolean;
  /** The text around what was searched. */
  excerpt: string | undefined;
  /** The names of all folders. */
  folders: readonly string[];
  actions: HistoryActions;
};

/** A conversation in the history, with its menu. */
export function HistoryItem({ conversation, open, excerpt, folders, actions }: Props) {
  const { id, title, pinned, archived, folder } = conversation;
  const renderItem = (label: string, run: () => unknown, className = "item") => (
    <Menu.Item className={className} onClick={() => void run()}>
      {label}
    </Menu.Item>
  );
  return (
    <li className={styles.keptChat}>
      <Link
        to={`/chat?c=${encodeURIComponent(id)}`}
        aria-current={open ? "page" : undefined}
        title={title}
        onClick={actions.onOpened}
      >
        <bdi>{title || t`New chat`}</bdi>
        {excerpt ? <span className="tiny faint">{excerpt}</span> : null}
      </Link>
      <Menu.Root>
        <Menu.Trigger className="plain" aria-label={t`Menu of ${title}`}>
          ···
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu-pop">
              {renderItem(pinned ? t`Unpin` : t`Pin`, () => actions.place(id, { pinned: !pinned }))}
              <Menu.SubmenuRoot>
                <Menu.SubmenuTrigger className="item">{t`Move to a folder`}</Menu.SubmenuTrigger>
                <Menu.Portal>
                  <Menu.Positioner sideOffset={4} align="start">
                    <Menu.Popup className={`menu-pop ${styles.folderNames}`}>
                      {folders
                        .filter((name) => name !== folder)
                        .map((name) => (
                          <Menu.Item key={name} className="item" onClick={() => actions.place(id, { folder: name })}>
                            <bdi>{name}</bdi>
                          </Menu.Item>
                        ))}
                      {folder !== null
                        ? renderItem(t`Out of its folder`, () => actions.place(id, { folder: null }))
                        : null}
                      {renderItem(t`New folder`, () => actions.nameFolderFor(conversation))}
                    </Menu.Popup>
                  </Menu.Positioner>
                </Menu.Portal>
              </Menu.SubmenuRoot>
              {renderItem(archived ? t`Out of the archive` : t`Archive`, () => actions.archive(conversation))}
              <hr />
              {renderItem(t`Rename`, () => actions.rename(conversation))}
              {actions.shareByLink ? renderItem(t`Share by a link`, () => actions.shareByLink?.(conversation)) : null}
              {renderItem(t`Share as a file`, () => actions.share(id))}
              {renderItem(t`Save as JSON`, () => actions.saveJson(id))}
              {renderItem(t`Save as Markdown`, () => actions.saveMarkdown(id))}
              {renderItem(t`Print or save as PDF`, () => actions.print(id))}
              <hr />
              {renderItem(t`Delete`, () => actions.remove(conversation), "item danger")}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </li>
  );
}
