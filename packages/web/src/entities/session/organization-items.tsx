import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { organizationsQuery, useSwitchOrganization } from "./organizations.ts";
import { useUser } from "./user.ts";

/** Menu items that switch to the user's other organizations, between `before` and `after`; nothing if there are none. */
export function OrganizationItems({ before, after }: { before?: ReactNode; after?: ReactNode }) {
  const { user } = useUser();
  const { data } = useQuery({ ...organizationsQuery, enabled: user !== null });
  const switchTo = useSwitchOrganization();
  const others = data?.items.filter(({ id }) => id !== user?.organization.id) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      {before}
      {others.map(({ id, name }) => (
        <Menu.Item key={id} className="item" onClick={() => void switchTo.run({ id, name })}>
          {t`Act for ${name}`}
        </Menu.Item>
      ))}
      {after}
    </>
  );
}
