import { z } from "zod";
import { line, type SettingDeclarations, type SettingsOf } from "../core/settings.ts";

/** How messages are sent. */
export const mailSettings = {
  smtpUrl: {
    env: "SMTP_URL",
    doc: "Mail server, such as smtps://name:password@mail.example.com. Without one, messages rest in the outbox and e-mail addresses count as verified.",
    schema: z.url({ protocol: /^smtps?$/, hostname: /./ }).optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  from: {
    env: "FEATHER_MAIL_FROM",
    doc: "Sender of messages.",
    schema: line.min(3).max(200),
    default: "Feather <feather@localhost>",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of mail. */
export type MailSettings = SettingsOf<typeof mailSettings>;
