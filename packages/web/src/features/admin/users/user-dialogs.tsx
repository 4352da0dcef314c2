import type { AdminUser, CreditGrantRequest, SecondFactorResetRequest } from "@feather/sdk";
import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { isAmount, parseNanoUsd } from "#/entities/money/amount.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { parseNumber, requiredInteger, requiredText } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { GrantEffect } from "./grant-effect.tsx";

type Props = { user: AdminUser; close(): void };

/** The field for the admin's own password, for changes that need it; none for admins without one. */
function ownPasswordFields(isNeeded: boolean) {
  if (!isNeeded) return [];
  const label = t`Your own password`;
  return [{ name: "password" as const, label, type: "password", autoComplete: "current-password" }];
}

const suspendSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(1000),
});

/** Suspends a user, with a reason: their sessions end and their keys stop working at once. An admin needs the password. */
export function SuspendDialog({ user, close, hasPassword }: Props & { hasPassword: boolean }) {
  const needsPassword = user.is_admin && hasPassword;
  const suspend = useAction(
    ({ reason, password }: z.infer<typeof suspendSchema>) =>
      feather.admin.users.update(user.id, {
        suspended: true,
        reason: reason.trim(),
        ...(needsPassword && { password }),
      }),
    { success: () => t`${user.name} is suspended`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Suspend ${user.name}`}
      description={t`Every session of this account ends and its keys stop at once. Nothing is deleted: you can let them in again.`}
      close={close}
      schema={suspendSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, kind: "text", rows: 3, hint: t`Stands in the audit log.` },
        ...ownPasswordFields(needsPassword),
      ]}
      submitLabel={t`Suspend ${user.username}`}
      destructive
      submit={suspend.submit}
    />
  );
}

const proofSchema = z.object({ password: z.string().max(1000) });

/** Makes a user an admin, or revokes that. All admins are notified by mail where there is a mail server. */
export function AdminRightsDialog({ user, close, hasPassword }: Props & { hasPassword: boolean }) {
  const on = !user.is_admin;
  const sendsMail = useMailDelivery();
  const consequence = on
    ? t`${user.email} may then do everything that you may: read every account, change prices, suspend people.`
    : t`${user.email} loses the admin area at once.`;
  const notice = sendsMail
    ? t`All admins are told by mail.`
    : t`This server sends no mail: the audit log and the outbox tell the other admins.`;
  const change = useAction(
    ({ password }: z.infer<typeof proofSchema>) =>
      feather.admin.users.update(user.id, { is_admin: on, ...(hasPassword && { password }) }),
    {
      success: () => (on ? t`${user.name} is an admin` : t`${user.name} is no admin any more`),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={on ? t`Make ${user.name} an admin` : t`Take admin away from ${user.name}`}
      description={`${consequence} ${notice}`}
      close={close}
      schema={proofSchema}
      initial={{ password: "" }}
      fields={ownPasswordFields(hasPassword)}
      submitLabel={on ? t`Make ${user.username} admin` : t`Take it from ${user.username}`}
      destructive={!on}
      submit={change.submit}
    />
  );
}

/** Confirms the e-mail address of a user in the admin's name. */
export function ConfirmAddressDialog({ user, close, hasPassword }: Props & { hasPassword: boolean }) {
  const confirmation = useAction(
    ({ password }: z.infer<typeof proofSchema>) =>
      feather.admin.users.update(user.id, { email_verified: true, ...(hasPassword && { password }) }),
    { success: () => t`${user.email} is confirmed`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Confirm the e-mail of ${user.name}`}
      description={t`Do this only if you know that ${user.email} is theirs: whoever holds the account then counts as its owner.`}
      close={close}
      schema={proofSchema}
      initial={{ password: "" }}
      fields={ownPasswordFields(hasPassword)}
      submitLabel={t`Confirm the e-mail`}
      submit={confirmation.submit}
    />
  );
}

const refuseSchema = z.object({ reason: z.string().max(500) });

/** Rejects a user whose account waits for approval, which deletes the account. */
export function RefuseDialog({ user, close }: Props) {
  const sendsMail = useMailDelivery();
  const refusal = useAction(
    (reason: string) => feather.admin.users.refuse(user.id, reason.trim() === "" ? {} : { reason: reason.trim() }),
    { success: () => t`${user.email} was refused`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog
      open
      title={t`Refuse ${user.email}`}
      description={
        sendsMail
          ? t`The account is deleted, and its owner is told by mail. They may ask again.`
          : t`The account is deleted. They may ask again. There is no mail server, so nobody tells them: do it yourself.`
      }
      close={close}
      schema={refuseSchema}
      initial={{ reason: "" }}
      fields={[
        { name: "reason", label: t`Reason`, kind: "text", rows: 3, hint: t`Stands in the message, if you give one.` },
      ]}
      submitLabel={t`Refuse the account`}
      destructive
      submit={({ reason }) => refusal.submit(reason)}
    />
  );
}

const resetFactorSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(1000),
});

/** Removes the lost second factor of a user. */
export function ResetFactorDialog({ user, close, hasPassword }: Props & { hasPassword: boolean }) {
  const sendsMail = useMailDelivery();
  const reset = useAction((body: SecondFactorResetRequest) => feather.admin.users.resetSecondFactor(user.id, body), {
    success: () => t`${user.name} has no second factor any more`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <FormDialog
      open
      title={t`Reset the second factor of ${user.name}`}
      description={
        sendsMail
          ? t`Make sure that it is really them who asks. Their sessions end, and they log in without one from then on. They are told by mail, with the reason.`
          : t`Make sure that it is really them who asks. Their sessions end, and they log in without one from then on. There is no mail server, so nobody tells them: do it yourself.`
      }
      close={close}
      schema={resetFactorSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, hint: t`Stands in the audit log and in the message.` },
        ...ownPasswordFields(hasPassword),
      ]}
      submitLabel={t`Reset it`}
      destructive
      submit={({ reason, password }) => reset.submit({ reason: reason.trim(), ...(hasPassword && { password }) })}
    />
  );
}

const creditsSchema = z.object({
  amount: z.string().refine(isAmount, { error: t`Amount is not valid: dollars such as 5 or -2.50, not zero.` }),
  reason: requiredText(t`Reason`, { max: 500 }),
});

/** Adds or removes credits. */
export function CreditsDialog({ user, close }: Props) {
  const grant = useAction(
    (body: CreditGrantRequest, options) => feather.admin.users.grantCredits(user.id, body, options),
    {
      success: ({ available_nano_usd }) => t`${user.name} now has ${formatNanoUsd(available_nano_usd)}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={t`Credits of ${user.name}`}
      description={t`Credits pay for metered requests of the whole organization of this user.`}
      close={close}
      schema={creditsSchema}
      initial={{ amount: "", reason: "" }}
      fields={[
        {
          name: "amount",
          label: t`Amount in dollars`,
          inputMode: "decimal",
          hint: t`Below zero takes credits away, never more than are there.`,
        },
        { name: "reason", label: t`Reason`, hint: t`The organization reads it in its transactions.` },
      ]}
      submitLabel={t`Book the credits`}
      submit={({ amount, reason }) =>
        grant.submit({ amount_nano_usd: parseNanoUsd(amount) ?? "0", reason: reason.trim() })
      }
    />
  );
}

const planGrantSchema = z.object({
  plan_id: z.string().min(1, { error: t`Plan is not valid.` }),
  quantity: requiredInteger(t`Quantity`, { min: 1, max: 1000 }),
});

/** Grants a plan without payment. */
export function PlanDialog({ user, close, plans }: Props & { plans: readonly { id: string; name: string }[] }) {
  const nameOf = (planId: string) => plans.find(({ id }) => id === planId)?.name ?? planId;
  const grant = useAction(
    ({ plan_id, quantity }: { plan_id: string; quantity: number }) =>
      feather.admin.users.update(user.id, { plan_id, ...(quantity !== 1 && { quantity }) }),
    {
      success: (_, { plan_id }) => t`${user.name} is on ${nameOf(plan_id)}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <FormDialog
      open
      title={t`Plan of ${user.name}`}
      description={t`The plan holds at once for the organization of this user, without payment.`}
      close={close}
      schema={planGrantSchema}
      initial={{ plan_id: user.plan_id, quantity: "1" }}
      fields={[
        {
          name: "plan_id",
          label: t`Plan`,
          kind: "choice",
          options: plans.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
        },
        {
          name: "quantity",
          label: t`Quantity`,
          inputMode: "numeric",
          hint: t`More than 1 only for plans by the unit.`,
        },
      ]}
      renderSummary={() => <GrantEffect user={user} />}
      submitLabel={t`Grant the plan`}
      submit={({ plan_id, quantity }) => grant.submit({ plan_id, quantity: parseNumber(quantity) ?? 1 })}
    />
  );
}

type Reward = { method: "credits" | "commission" };
const rewardSchema = z.object({ method: z.enum(["credits", "commission"]) });

/** Sets the referral reward of a user: credits, or commission for affiliates. */
export function RewardDialog({ user, close }: Props) {
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

const impersonateSchema = z.object({
  reason: requiredText(t`Reason`, { min: 3, max: 500 }),
  password: z.string().max(128),
});

/** Impersonates a user, with a reason. The password is requested only if the server requires it. */
export function ImpersonateDialog({ user, close, onStarted }: Props & { onStarted(): Promise<void> }) {
  const [needsPassword, setNeedsPassword] = useState(false);
  const impersonation = useAction(
    ({ reason, password }: z.infer<typeof impersonateSchema>) =>
      feather.admin.users.impersonate(user.id, { reason: reason.trim(), ...(password !== "" && { password }) }),
    { onSuccess: onStarted },
  );
  async function start(values: z.infer<typeof impersonateSchema>): Promise<void> {
    try {
      await impersonation.submit(values);
    } catch (error) {
      if (isApiError(error) && error.code === "recent_sign_in_required")
        setNeedsPassword(error.details.method !== "sign_in");
      throw error;
    }
  }
  return (
    <FormDialog
      open
      title={t`Act as ${user.name}`}
      description={t`You see the site as they do, for 30 minutes at most. You can look, and change nothing. Every request stands in the audit log with both names.`}
      close={close}
      schema={impersonateSchema}
      initial={{ reason: "", password: "" }}
      fields={[
        { name: "reason", label: t`Reason`, hint: t`Such as the number of a ticket. It stands in the audit log.` },
        ...(needsPassword
          ? [
              {
                name: "password" as const,
                label: t`Your own password`,
                type: "password",
                autoComplete: "current-password",
                hint: t`Your login is more than 15 minutes ago.`,
              },
            ]
          : []),
      ]}
      submitLabel={t`Act as ${user.username}`}
      submit={start}
    />
  );
}
