import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { OrganizationItems } from "#/entities/session/organization-items.tsx";

/** The button with this content and the menu to switch to another organization, open at first. */
export function OrganizationMenuList({ className, children }: { className: string | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={className}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="start">
          <Menu.Popup className="menu-pop">
            <OrganizationItems after={<hr />} />
            <Menu.Item className="item" onClick={() => navigate(paths.organization)}>
              {t`Members and invitations`}
            </Menu.Item>
            <Menu.Item className="item" onClick={() => navigate(paths.account)}>
              {t`Plan and invoices`}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
