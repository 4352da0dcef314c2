import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { applyTheme, readTheme, type Theme } from "#/lib/theme.ts";
import type { TopBarUser } from "./top-bar.tsx";
import styles from "./user-menu.module.css";

const THEMES: Record<Theme, string> = { light: t`Theme: light`, dark: t`Theme: dark`, system: t`Theme: system` };

type Props = {
  button: { className: string; "aria-label": string; "data-initials": string };
  user: NonNullable<TopBarUser>;
  logOut(): void;
  /** Menu items that switch to the user's other organizations. */
  organizations: ReactNode;
};

/** The account menu. It opens on mount, because it is loaded when the account button is pressed. */
export function UserMenu({ button, user, logOut, organizations }: Props) {
  const navigate = useNavigate();
  const trigger = useRef<HTMLButtonElement>(null);
  const [theme, setTheme] = useState<Theme>(readTheme);
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    trigger.current?.focus();
    trigger.current?.click();
  }, []);
  const next: Theme = theme === "system" ? "light" : theme === "light" ? "dark" : "system";
  const item = (label: string, to: string) => (
    <Menu.Item className="item" onClick={() => navigate(to)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu.Root>
      <Menu.Trigger ref={trigger} {...button} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className="menu-pop" finalFocus={trigger}>
            <Menu.Group>
              <Menu.GroupLabel className={styles.menuWho}>
                <bdi className="strong">{user.name}</bdi>
                <span className="small dim block">{user.email}</span>
                <span className="small mid block mt-1">
                  <bdi>{user.organization}</bdi>
                </span>
              </Menu.GroupLabel>
              {item(t`API keys`, paths.apiKeys)}
              {item(t`Usage`, paths.usage)}
              {item(t`Deployments`, paths.deployments)}
              {item(t`Billing`, paths.account)}
              {item(t`Organization`, paths.organization)}
              {item(t`Profile`, paths.profile)}
            </Menu.Group>
            {user.isAdmin ? item(t`Admin`, paths.admin) : null}
            <hr />
            <Menu.Item
              className="item"
              closeOnClick={false}
              onClick={() => {
                applyTheme(next);
                setTheme(next);
              }}
            >
              {THEMES[theme]}
            </Menu.Item>
            <Menu.Item className="item" onClick={logOut}>
              {t`Log out`}
            </Menu.Item>
            {/* Last, because they are loaded when the menu opens, and would move what is below them. */}
            {organizations}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
