import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Form } from "#/components/ui/form.tsx";

const rules = () => import("./rules.ts");
const toLogIn = async () => (await rules()).logIn;
const toRegister = async () => (await rules()).register;

type Props = {
  kind: "login" | "register";
  submitLabel: string;
  submit(values: { email: string; password: string }): Promise<void>;
  passwordEnd?: ReactNode;
  /** The e-mail address that the form starts with. */
  known?: string | undefined;
};

/** A form of e-mail and password, to log in or to register. */
export function CredentialsForm({ kind, submitLabel, submit, passwordEnd, known = "" }: Props) {
  const registers = kind === "register";
  return (
    <>
      {navigator.cookieEnabled === false ? (
        <p className="notice mt-4" role="alert">
          {t`This browser keeps no cookies, and being signed in needs one. Allow cookies for this site, then try again.`}
        </p>
      ) : null}
      <Form
        schema={registers ? toRegister : toLogIn}
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
    </>
  );
}
