import { Menu } from "@base-ui/react/menu";
import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { OrganizationItems } from "#/entities/session/organization-items.tsx";
import styles from "./shell.module.css";

/** The organization that the user acts for, with a menu to switch to another one. */
export function OrganizationMenu({ user: { organization } }: { user: User }) {
  const navigate = useNavigate();
  const plan = organization.current_subscription?.plan.name;
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.organization}>
        <span className={styles.name}>
          <span className="visually-hidden">{t`Organization:`} </span>
          <bdi>{organization.name}</bdi>
          {plan ? <span className="tiny dim">{plan}</span> : null}
        </span>
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
          <path d="m3 4.500 3-3 3 3M3 7.500l3 3 3-3" />
        </svg>
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
