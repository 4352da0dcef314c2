import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";

/** An entry of a row's menu. */
export type RowAction = { label: string; run(): void; destructive?: boolean };

type Props = {
  name: string;
  actions: readonly (RowAction | false)[];
  /** Whether the trigger is a labelled button, as on the page of a single item. */
  hasTextTrigger?: boolean;
};

/** A menu of actions; nothing if none is available. */
export function RowMenu({ name, actions, hasTextTrigger = false }: Props) {
  const available = actions.filter((action) => action !== false);
  if (available.length === 0) return null;
  return (
    <Menu.Root>
      <Menu.Trigger className={hasTextTrigger ? "btn" : "btn ghost icon"} aria-label={t`Actions for ${name}`}>
        {hasTextTrigger ? t`Actions` : <span aria-hidden="true">···</span>}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className="menu-pop">
            {available.map(({ label, run, destructive }) => (
              <Menu.Item key={label} className={`item${destructive ? " danger" : ""}`} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Returns the last column of a list, with the row menus. */
export function createMenuColumn<T>(
  nameOf: (item: T) => string,
  actionsOf: (item: T) => readonly (RowAction | false)[],
) {
  return {
    header: <span className="visually-hidden">{t`Actions`}</span>,
    cell: (item: T) => <RowMenu name={nameOf(item)} actions={actionsOf(item)} />,
    className: "menu",
  };
}
