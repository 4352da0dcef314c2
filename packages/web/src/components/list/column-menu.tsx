import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import type { ColumnChoice } from "./use-columns.ts";

/** A menu in which the visitor chooses the columns of a list. */
export function ColumnMenu<T>({ choice: { optional, setShown } }: { choice: ColumnChoice<T> }) {
  return (
    <Menu.Root>
      <Menu.Trigger className="btn">{t`Columns`}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className="menu-pop">
            {optional.map(({ id, name, isShown }) => (
              <Menu.CheckboxItem
                key={id}
                className="item"
                checked={isShown}
                onCheckedChange={(next) => setShown(id, next)}
                closeOnClick={false}
              >
                <span aria-hidden="true">{isShown ? "☑" : "☐"}</span> {name}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
