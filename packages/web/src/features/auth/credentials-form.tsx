import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Form } from "#/components/ui/forms/form.tsx";

const loadSchemas = () => import("#/entities/session/schemas.ts");
const loadLogInSchema = async () => (await loadSchemas()).logInSchema;
const loadRegisterSchema = async () => (await loadSchemas()).registerSchema;

type Props = {
  kind: "login" | "register";
  submitLabel: string;
  submit(values: { email: string; password: string }): Promise<unknown>;
  passwordEnd?: ReactNode;
  /** The e-mail address that the form starts with. */
  initialEmail?: string | undefined;
};

/** A form of e-mail and password, to log in or to register. */
export function CredentialsForm({ kind, submitLabel, submit, passwordEnd, initialEmail = "" }: Props) {
  const isRegistration = kind === "register";
  return (
    <>
      {navigator.cookieEnabled === false ? (
        <p className="notice mt-4" role="alert">
          {t`This browser keeps no cookies, and being signed in needs one. Allow cookies for this site, then try again.`}
        </p>
      ) : null}
      <Form
        schema={isRegistration ? loadRegisterSchema : loadLogInSchema}
        initial={{ email: initialEmail, password: "" }}
        fields={[
          {
            name: "email",
            label: t`E-mail`,
            type: "email",
            autoComplete: "username",
            inputMode: "email",
            autoFocus: initialEmail === "",
          },
          {
            name: "password",
            label: t`Password`,
            type: "password",
            autoFocus: initialEmail !== "",
            autoComplete: isRegistration ? "new-password" : "current-password",
            end: passwordEnd,
            hint: isRegistration ? t`10 characters or more.` : undefined,
          },
        ]}
        submitLabel={submitLabel}
        submit={submit}
      />
    </>
  );
}
