import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

type Reward = { method: "credits" | "commission" };

const rewardSchema = z.object({ method: z.enum(["credits", "commission"]) });

/** Sets the referral reward of a user: credits, or commission for affiliates. */
export function RewardDialog({ user, close }: UserDialogProps) {
  const save = useAction((reward: Reward) => feather.admin.users.setReferralReward(user.id, reward), {
    success: (_, { method }) =>
      method === "commission" ? t`${user.name} is an affiliate` : t`${user.name} gets credits`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <FormDialog
      open
      title={t`Referral reward of ${user.name}`}
      description={t`Commission makes the user an affiliate. It holds for payments from now on.`}
      close={close}
      schema={rewardSchema}
      initial={{ method: "commission" } as Reward}
      fields={[
        {
          name: "method",
          label: t`Reward`,
          kind: "choice",
          options: [
            { value: "commission", label: t`Commission of what referred people pay` },
            { value: "credits", label: t`Credits, as everybody gets` },
          ],
        },
      ]}
      submitLabel={t`Set the reward`}
      submit={save.submit}
    />
  );
}
