import { isApiError } from "@feather/sdk";
import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Field } from "#/components/ui/field.tsx";
import type { User } from "./user.ts";

const email = z.email({ error: "E-mail is not valid." }).max(254, { error: "E-mail is not valid." });
const LOGIN = z.object({ email, password: z.string().min(1, { error: "Password is not valid." }) });
const REGISTER = z.object({
  email,
  password: z
    .string()
    .min(10, { error: "Password needs at least 10 characters." })
    .max(128, { error: "Password may have at most 128 characters." }),
});

type Values = z.infer<typeof LOGIN>;
type Props = {
  kind: "login" | "register";
  submitLabel: string;
  submit(values: Values): Promise<User>;
  done(user: User): void;
  passwordEnd?: ReactNode;
};

/** E-mail and password. Every failing rule is shown, on leaving a field and on changing it; the server's errors stand at their fields. */
export function CredentialsForm({ kind, submitLabel, submit, done, passwordEnd }: Props) {
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: zodResolver(kind === "login" ? LOGIN : REGISTER),
    mode: "onBlur",
    reValidateMode: "onChange",
    criteriaMode: "all",
    defaultValues: { email: "", password: "" },
  });
  const { errors, isSubmitting } = form.formState;

  async function send(values: Values): Promise<void> {
    setFault(null);
    try {
      done(await submit(values));
    } catch (error) {
      if (!isApiError(error)) return setFault("The server cannot be reached. Check the connection and try again.");
      const known = error.fields.filter(
        (item): item is { field: keyof Values; message: string } => item.field === "email" || item.field === "password",
      );
      for (const { field, message } of known) form.setError(field, { message });
      if (known.length === 0) setFault(error.message);
    }
  }

  const messages = (name: keyof Values) => (errors[name]?.message ? [errors[name].message] : []);
  return (
    <form onSubmit={form.handleSubmit(send)} noValidate>
      {fault ? (
        <p className="notice mb-4" role="alert">
          {fault}
        </p>
      ) : null}
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        inputMode="email"
        errors={messages("email")}
        {...form.register("email")}
      />
      <Field
        label="Password"
        type="password"
        autoComplete={kind === "login" ? "current-password" : "new-password"}
        errors={messages("password")}
        end={passwordEnd}
        hint={kind === "register" ? "10 characters or more." : undefined}
        {...form.register("password")}
      />
      <button type="submit" className="btn primary block mt-6" disabled={isSubmitting} aria-busy={isSubmitting}>
        {isSubmitting ? "One moment …" : submitLabel}
      </button>
    </form>
  );
}
