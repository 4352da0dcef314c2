import { type ReactNode } from "react";
import { z } from "zod";
import type { User } from "./user.ts";
declare const LOGIN: z.ZodObject<{
    email: z.ZodEmail;
    password: z.ZodString;
}, z.core.$strip>;
type Values = z.infer<typeof LOGIN>;
type Props = {
    kind: "login" | "register";
    submitLabel: string;
    submit(values: Values): Promise<User>;
    done(user: User): void;
    passwordEnd?: ReactNode;
};
/** E-mail and password. Every failing rule is shown, on leaving a field and on changing it; the server's errors stand at their fields. */
export declare function CredentialsForm({ kind, submitLabel, submit, done, passwordEnd }: Props): import("react").JSX.Element;
export {};
