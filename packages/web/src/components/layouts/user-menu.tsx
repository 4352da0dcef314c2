import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { applyTheme, readTheme, type Theme } from "#/lib/theme.ts";

const THEMES: Record<Theme, string> = { light: t`Theme: light`, dark: t`Theme: dark`, system: t`Theme: system` };

/** What a signed-in user reaches from everywhere. */
export function UserMenu({ user, logOut }: { user: { name: string; isAdmin: boolean }; logOut(): void }) {
  const navigate = useNavigate();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const next: Theme = theme === "system" ? "light" : theme === "light" ? "dark" : "system";
  const initials = user.name
    .split(/[\s._-]+/)
    .map((part) => part.charAt(0).toUpperCase())
    .slice(0, 2)
    .join("");
  const item = (label: string, to: string) => (
    <Menu.Item className="item" onClick={() => navigate(to)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu.Root>
      <Menu.Trigger className="avatar" aria-label={t`Account menu of ${user.name}`} data-initials={initials} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className="menu-pop">
            {item(t`API keys`, paths.apiKeys)}
            {item(t`Subscription`, paths.account)}
            {item(t`Usage`, paths.usage)}
            {item(t`Profile`, paths.profile)}
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
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
