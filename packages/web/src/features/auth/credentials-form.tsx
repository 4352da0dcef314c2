import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { z } from "zod";
import { Form } from "#/components/ui/form.tsx";
import { email, newPassword, presentPassword } from "./rules.ts";

const LOGIN = z.object({ email, password: presentPassword });
const REGISTER = z.object({ email, password: newPassword });

type Props = {
  kind: "login" | "register";
  submitLabel: string;
  submit(values: { email: string; password: string }): Promise<void>;
  passwordEnd?: ReactNode;
  /** The address where it is known already. */
  known?: string;
};

/** E-mail and password. */
export function CredentialsForm({ kind, submitLabel, submit, passwordEnd, known = "" }: Props) {
  const registers = kind === "register";
  return (
    <Form
      schema={registers ? REGISTER : LOGIN}
      initial={{ email: known, password: "" }}
      fields={[
        { name: "email", label: t`E-mail`, type: "email", autoComplete: "username", inputMode: "email" },
        {
          name: "password",
          label: t`Password`,
          type: "password",
          autoComplete: registers ? "new-password" : "current-password",
          end: passwordEnd,
          hint: registers ? t`10 characters or more.` : undefined,
        },
      ]}
      submitLabel={submitLabel}
      submit={submit}
    />
  );
}
