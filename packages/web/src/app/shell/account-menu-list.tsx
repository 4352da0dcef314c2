import { Menu } from "@base-ui/react/menu";
import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { type Opening, useKeyboardOpening } from "#/components/ui/controls/use-deferred-popup.ts";
import { paths } from "#/config/paths.ts";
import { OrganizationItems } from "#/entities/session/organization-items.tsx";
import { useLogOut } from "#/entities/session/use-log-out.ts";
import { applyTheme, readTheme, type Theme } from "#/lib/preferences/theme.ts";
import styles from "./account-menu.module.css";
import { getInitials } from "./initials.ts";

const THEMES: Record<Theme, string> = { light: t`Theme: light`, dark: t`Theme: dark`, system: t`Theme: system` };

/**
 * The account button with its menu, which is open at first: the user, the pages of the account, the theme and the
 * log-out.
 */
export function AccountMenuList({ user, opening }: { user: User; opening: Opening }) {
  const navigate = useNavigate();
  const logOut = useLogOut(() => navigate(paths.home));
  const trigger = useRef<HTMLButtonElement>(null);
  useKeyboardOpening(trigger, opening);
  const item = (label: string, to: string) => (
    <Menu.Item className="item" onClick={() => navigate(to)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu.Root defaultOpen={opening === "pointer"}>
      <Menu.Trigger
        ref={trigger}
        className="avatar"
        aria-label={t`Account menu of ${user.name}`}
        data-initials={getInitials(user.name)}
      />
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className="menu-pop" finalFocus={trigger}>
            <Menu.Group>
              <Menu.GroupLabel className={styles.who}>
                <bdi className="strong">{user.name}</bdi>
                <span className="small faint block">{user.email}</span>
                <span className="small muted block mt-1">
                  <bdi>{user.organization.name}</bdi>
                </span>
              </Menu.GroupLabel>
              {item(t`API keys`, paths.apiKeys)}
              {item(t`Usage`, paths.usage)}
              {item(t`Deployments`, paths.deployments)}
              {item(t`Billing`, paths.account)}
              {item(t`Organization`, paths.organization)}
              {item(t`Profile`, paths.profile)}
            </Menu.Group>
            {user.is_admin ? item(t`Admin`, paths.admin) : null}
            <hr />
            <ThemeItem />
            <Menu.Item className="item" onClick={() => void logOut()}>
              {t`Log out`}
            </Menu.Item>
            {/* Last, because they are loaded when the menu opens, and would move items below them. */}
            <OrganizationItems before={<hr />} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Changes to the next theme. The menu stays open, to show it. */
function ThemeItem() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const next: Theme = theme === "system" ? "light" : theme === "light" ? "dark" : "system";
  return (
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
  );
}
