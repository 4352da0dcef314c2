import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { useDeferredPopup } from "#/components/ui/controls/use-deferred-popup.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./shell.module.css";

const load = async () => (await import("./organization-menu-list.tsx")).OrganizationMenuList;
const OrganizationMenuList = lazyComponent(load);

/** The organization that the user acts for, with a menu to switch to another one. */
export function OrganizationMenu({ user: { organization } }: { user: User }) {
  const { opening, buttonProps } = useDeferredPopup(load);
  const plan = organization.current_subscription?.plan.name;
  const content = (
    <>
      <span className={styles.name}>
        <span className="visually-hidden">{t`Organization:`} </span>
        <bdi>{organization.name}</bdi>
        {plan ? <span className="tiny faint">{plan}</span> : null}
      </span>
      <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="m3 4.500 3-3 3 3M3 7.500l3 3 3-3" />
      </svg>
    </>
  );
  const button = (
    <button {...buttonProps} className={styles.organization} aria-haspopup="menu" aria-expanded="false">
      {content}
    </button>
  );
  return (
    <Suspense fallback={button}>
      {opening ? (
        <OrganizationMenuList className={styles.organization} opening={opening}>
          {content}
        </OrganizationMenuList>
      ) : (
        button
      )}
    </Suspense>
  );
}
