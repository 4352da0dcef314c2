import type { OrganizationMember, User } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { runForEach } from "#/components/list/bulk/run-for-each.ts";
import type { Selection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import type { Role } from "../queries.ts";
import { getRoleLabel } from "../roles.ts";

/** Changes the role of a member, and removes one after a question. */
export function useMemberActions(user: User) {
  const confirm = useConfirm();
  const isSelf = (member: OrganizationMember) => member.user_id === user.id;
  const change = useAction(
    ({ member, role }: { member: OrganizationMember; role: Role }) =>
      feather.organization.members.update(member.user_id, { role }),
    {
      success: (_, { member, role }) => t`${member.name} is now ${getRoleLabel(role)}`,
      // Users who gave up their own admin role cannot undo it.
      undo: (run, { member, role }) =>
        isSelf(member) ? null : () => run({ member: { ...member, role }, role: member.role }),
      invalidates: (_, { member }) => [queries.organization.key(), ...(isSelf(member) ? [userQuery.queryKey] : [])],
    },
  );
  const removal = useAction((member: OrganizationMember) => feather.organization.members.delete(member.user_id), {
    success: (_, member) => (isSelf(member) ? t`You left ${user.organization.name}` : t`${member.name} is removed`),
    // A user who has left sees another organization from now on.
    invalidates: (_, member) => (isSelf(member) ? [[]] : [queries.organization.key(), queries.budgets.key()]),
  });

  function remove(member: OrganizationMember): void {
    const leaves = isSelf(member);
    confirm({
      title: leaves ? t`Leave ${user.organization.name}` : t`Remove ${member.name}`,
      description: leaves
        ? t`Keys that you made here stop working at once. To come back you have to be invited again.`
        : t`The keys that ${member.name} made here stop working at once. To come back they have to be invited again.`,
      confirmButtonText: leaves ? t`Leave` : t`Remove ${member.name}`,
      destructive: true,
      action: async () => {
        await removal.run(member);
      },
    });
  }

  return { change: (member: OrganizationMember, role: Role) => void change.run({ member, role }), remove };
}

/**
 * Removes the selected members after a question. Those for whom it failed stay selected, as does the user, who leaves on their own
 * button.
 */
export function useMemberRemoval(user: User, members: readonly OrganizationMember[], selection: Selection) {
  const confirm = useConfirm();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const removal = useBulkAction(
    (ids) => runForEach(ids, (id) => feather.organization.members.delete(id)),
    [queries.organization.key(), queries.budgets.key()],
    selection,
  );
  const run = (ids: readonly string[]) => {
    const others = ids.filter((id) => id !== user.id);
    setNames(new Map(members.map(({ user_id, name }) => [user_id, name])));
    confirm({
      title: plural(others.length, { one: "Remove # member", other: "Remove # members" }),
      description: t`The keys that they made here stop working at once. To come back they have to be invited again.`,
      confirmButtonText: t`Remove them`,
      destructive: true,
      action: () => removal.run(others),
    });
  };
  return { ...removal, run, names };
}
