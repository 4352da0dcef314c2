import type { RouteRule, RouteRuleInput } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { optionalInteger, optionalText, parseNumber, textOrNull } from "../forms/field-schemas.ts";
import { FormDialog } from "../forms/form-dialog.tsx";

const REDIRECT_STATUSES = ["301", "302", "303", "307", "308"] as const;
const TRI_STATE_OPTIONS = [
  { value: "", label: t`Whoever` },
  { value: "true", label: t`Yes` },
  { value: "false", label: t`No` },
];
const triStateSchema = z.enum(["", "true", "false"]);
const ruleSchema = z
  .object({
    path_glob: z
      .string()
      .regex(/^\//, { error: t`Path is not valid: it begins with a slash.` })
      .max(200, { error: t`Path may have at most 200 characters.` }),
    redirect_to: z
      .string()
      .regex(/^(\/(?![/\\])|https?:\/\/)/, {
        error: t`Target is not valid: a path, or an address with http:// or https://.`,
      })
      .max(2000, { error: t`Target may have at most 2000 characters.` }),
    status: z.enum(REDIRECT_STATUSES),
    position: optionalInteger(t`Position`, { min: 1, max: 10_000 }),
    auth: triStateSchema,
    email_verified: triStateSchema,
    plan: optionalText(t`Plan`, 64),
    external: z.boolean(),
  })
  .refine(({ redirect_to, external }) => external || redirect_to.startsWith("/"), {
    path: ["external"],
    error: t`An address of another site has to be marked as one.`,
  });
type RuleFormValues = z.infer<typeof ruleSchema>;

const parseTriState = (value: RuleFormValues["auth"]): boolean | null => (value === "" ? null : value === "true");
const formatTriState = (value: boolean | null): RuleFormValues["auth"] =>
  value === null ? "" : value ? "true" : "false";

/** Converts form values to the request body. */
export function toRuleInput(values: RuleFormValues): RouteRuleInput {
  const position = parseNumber(values.position);
  return {
    path_glob: values.path_glob.trim(),
    redirect_to: values.redirect_to.trim(),
    status: Number(values.status) as RouteRule["status"],
    external: values.external,
    ...(position !== null && { position }),
    when: {
      auth: parseTriState(values.auth),
      email_verified: parseTriState(values.email_verified),
      plan: textOrNull(values.plan),
    },
  };
}

function toFormValues(rule: RouteRule | null): RuleFormValues {
  return {
    path_glob: rule?.path_glob ?? "/",
    redirect_to: rule?.redirect_to ?? "/",
    status: REDIRECT_STATUSES.find((code) => code === String(rule?.status)) ?? "302",
    position: rule ? String(rule.position) : "",
    auth: formatTriState(rule?.when.auth ?? null),
    email_verified: formatTriState(rule?.when.email_verified ?? null),
    plan: rule?.when.plan ?? "",
    external: rule?.external ?? false,
  };
}

/** Adds a redirect rule, or edits one. */
export function RuleDialog({ rule, close }: { rule: RouteRule | null; close(): void }) {
  const save = useAction<ReturnType<typeof toRuleInput>, unknown>(
    (input) => (rule ? feather.admin.routeRules.update(rule.id, input) : feather.admin.routeRules.create(input)),
    { success: () => t`The rule holds from now on`, invalidates: ADMIN_QUERY_KEYS },
  );
  return (
    <FormDialog<RuleFormValues>
      open
      title={rule ? t`Change the rule` : t`Add a rule`}
      description={t`Sends visitors of a path elsewhere. The first rule that holds is used.`}
      close={close}
      schema={ruleSchema}
      initial={toFormValues(rule)}
      fields={[
        { name: "path_glob", label: t`Path`, hint: t`* stands for one segment, ** for any number: /account/**` },
        { name: "redirect_to", label: t`Goes to`, hint: t`A path of the site, or the address of another.` },
        { name: "external", label: t`Leaves the site`, kind: "check" },
        {
          name: "status",
          label: t`Status`,
          kind: "choice",
          options: [
            { value: "302", label: t`302, for now` },
            { value: "301", label: t`301, for good` },
            { value: "303", label: t`303, read there` },
            { value: "307", label: t`307, for now, same method` },
            { value: "308", label: t`308, for good, same method` },
          ],
        },
        { name: "position", label: t`Position`, inputMode: "numeric", hint: t`Empty: at the end.` },
        { name: "auth", label: t`Only if signed in`, kind: "choice", options: TRI_STATE_OPTIONS },
        {
          name: "email_verified",
          label: t`Only if the e-mail is confirmed`,
          kind: "choice",
          options: TRI_STATE_OPTIONS,
        },
        { name: "plan", label: t`Only on this plan`, hint: t`Such as feather_lite. Empty: on any.` },
      ]}
      submitLabel={rule ? t`Save the rule` : t`Add the rule`}
      submit={(values) => save.submit(toRuleInput(values))}
    />
  );
}
