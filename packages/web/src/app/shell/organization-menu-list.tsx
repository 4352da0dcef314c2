import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { type ReactNode, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { type Opening, useKeyboardOpening } from "#/components/ui/controls/use-deferred-popup.ts";
import { paths } from "#/config/paths.ts";
import { OrganizationItems } from "#/entities/session/organization-items.tsx";

type Props = { className: string | undefined; opening: Opening; children: ReactNode };

/** The button with this content and the menu to switch to another organization, which opens at first. */
export function OrganizationMenuList({ className, opening, children }: Props) {
  const navigate = useNavigate();
  const trigger = useRef<HTMLButtonElement>(null);
  useKeyboardOpening(trigger, opening);
  return (
    <Menu.Root defaultOpen={opening === "pointer"}>
      <Menu.Trigger ref={trigger} className={className}>
        {children}
      </Menu.Trigger>
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
