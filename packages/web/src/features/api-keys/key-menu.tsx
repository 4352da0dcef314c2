import { Menu } from "@base-ui/react/menu";
import type { ApiKey, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import styles from "./key-menu.module.css";
import { getLoosenRefusal, getRotateRefusal } from "./key-permissions.ts";

/** What can be done with a key of the list. */
export type KeyActions = {
  edit(key: ApiKey): void;
  rotate(key: ApiKey): void;
  setDisabled(key: ApiKey, disabled: boolean): void;
  remove(key: ApiKey): void;
};

type Props = {
  apiKey: ApiKey;
  user: User;
  actions: KeyActions;
  /** The id of the text that says why keys cannot be changed; null when they can. */
  readOnlyReasonId: string | null;
};

/** The menu of a key. Actions that the user may not take are disabled and say why. */
export function KeyMenu({ apiKey, user, actions, readOnlyReasonId }: Props) {
  const enableRefusal = apiKey.disabled ? getLoosenRefusal(user, apiKey) : null;
  return (
    <Menu.Root>
      <Menu.Trigger
        className="btn ghost icon"
        aria-label={t`Actions for ${apiKey.name}`}
        aria-describedby={readOnlyReasonId ?? undefined}
        disabled={readOnlyReasonId !== null}
      >
        <span aria-hidden="true">···</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className="menu-pop">
            <MenuItem label={t`Edit`} run={() => actions.edit(apiKey)} />
            <MenuItem
              label={t`Replace the secret`}
              refusal={getRotateRefusal(user, apiKey)}
              run={() => actions.rotate(apiKey)}
            />
            <MenuItem
              label={apiKey.disabled ? t`Switch on` : t`Switch off`}
              refusal={enableRefusal}
              run={() => actions.setDisabled(apiKey, !apiKey.disabled)}
            />
            <MenuItem label={t`Delete`} run={() => actions.remove(apiKey)} isDestructive />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

type MenuItemProps = { label: string; refusal?: string | null; isDestructive?: boolean; run(): void };

function MenuItem({ label, refusal = null, isDestructive = false, run }: MenuItemProps) {
  return (
    <Menu.Item
      className={`item ${styles.item}${isDestructive ? " danger" : ""}`}
      disabled={refusal !== null}
      label={label}
      onClick={run}
    >
      {label}
      {refusal === null ? null : <span className="tiny">{refusal}</span>}
    </Menu.Item>
  );
}
