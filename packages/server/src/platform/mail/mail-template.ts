import type { Language, TranslatedLanguage } from "../core/languages/languages.ts";
import type { MailKind, TestMailKind } from "./mail-kinds.ts";

/** A placeholder of a template. */
export type MailVariable = {
  description: string;
  /**
   * The value in previews; `{{ site }}` in it is the address of the site. A variable with true or false is a condition. Null
   * shows what an optional variable without a value leads to.
   */
  sample: string | boolean | null;
  /** Whether the value may be null. Text for that case stands in a section of the variable. */
  optional?: true;
  /** Whether an edited text must contain the variable wherever it has a value, such as the link of a password reset. */
  required?: true;
  /**
   * Whether the value has a token that opens an account. It is refused in subjects, which the outbox shows, and stands between
   * spaces in texts, so that no edited text can send it to another address.
   */
  secret?: true;
};

/** The placeholders of a template by name. */
export type MailVariables = Readonly<Record<string, MailVariable>>;

type ValueOf<V extends MailVariable> = V["sample"] extends boolean
  ? boolean
  : V extends { optional: true }
    ? string | null
    : string;

/** The values that a message needs, by the variables of its template. */
export type MailValues<V extends MailVariables> = keyof V extends never
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof V]: ValueOf<V[Name]> };

/** Groups in which admins find templates. */
export const MAIL_GROUPS = ["sign_in", "organization", "billing", "dunning", "operations"] as const;
/** A group in which admins find templates. */
export type MailGroup = (typeof MAIL_GROUPS)[number];

/** Subject and text, with placeholders or with values. */
export type MailText = { readonly subject: string; readonly text: string };

/** A text that is sent by mail: when, its default words, and the values that the code gives it. */
export type MailTemplate<V extends MailVariables = MailVariables> = MailText & {
  /** The name in the API, such as `password_reset`. Names are unique and stay. */
  readonly name: string;
  readonly kind: Exclude<MailKind, TestMailKind>;
  readonly group: MailGroup;
  readonly title: string;
  /** When it is sent, and to whom. */
  readonly description: string;
  readonly variables: V;
};

/** Declares a template. Its type holds the values that a message must have. */
export function defineMailTemplate<const V extends MailVariables>(template: MailTemplate<V>): MailTemplate<V> {
  return template;
}

/** The variables that every template may use. */
export const COMMON_VARIABLES = {
  product: { description: "Name of this site." },
  site: { description: "Address of this site, without a slash at its end." },
} as const;

/** The values of the variables that every template may use. */
export type CommonValues = Readonly<Record<keyof typeof COMMON_VARIABLES, string>>;

/** What a template consists of that can be edited. The text below all messages has no subject. */
export type EditableTemplate = Pick<
  MailTemplate,
  "name" | "title" | "description" | "subject" | "text" | "variables"
> & { readonly group: MailGroup; readonly hasSubject: boolean };

/** The default words of all templates by language and by the name of the template. */
export type MailTranslations = Readonly<Record<TranslatedLanguage, Readonly<Record<string, MailText>>>>;

/** Returns a template with its default words in a language; in English where they are not translated. */
export function translateTemplate<T extends EditableTemplate>(
  template: T,
  language: Language,
  translations: MailTranslations,
): T {
  const translated = language === "en" ? undefined : translations[language][template.name];
  return translated === undefined ? template : { ...template, subject: translated.subject, text: translated.text };
}

/** The text below all messages. It is empty by default. */
export const SIGNATURE: EditableTemplate = {
  name: "signature",
  group: "operations",
  title: "Text below all mails",
  description: "Stands below the text of every mail, after an empty line. Leave it out by a reset.",
  subject: "",
  text: "",
  variables: {},
  hasSubject: false,
};
