import { t } from "@lingui/core/macro";
/** What users want to do, each with the pages for it in reading order. */
export const GUIDE_PATHS = [
  {
    title: t`I want to call models`,
    text: t`From an account to answers in your own program.`,
    links: [
      [t`Getting started`, "/docs/quickstart"],
      [t`Choose a model`, "/models"],
      [t`Chat completions`, "/docs/chat-completions"],
      [t`Streaming`, "/docs/streaming"],
      [t`Tools`, "/docs/tools"],
      [t`Errors`, "/docs/errors"],
    ],
  },
  {
    title: t`I want a model in my editor`,
    text: t`A coding assistant on your own plan.`,
    links: [
      ["Cline", "/cline"],
      ["Roo Code", "/roo-code"],
      [t`Other programs that speak OpenAI`, "/openai"],
      [t`Units and limits`, "/docs/limits"],
    ],
  },
  {
    title: t`I have a lot to do at once`,
    text: t`Batches, pools of workers, several people on one plan.`,
    links: [
      [t`Bulk inference`, "/bulk"],
      [t`Units and limits`, "/docs/limits"],
      [t`Limit a key`, "/docs/api-keys"],
      [t`Organizations and roles`, "/docs/organizations"],
    ],
  },
  {
    title: t`I have a model of my own`,
    text: t`Serve it for your team, with or without machines of its own.`,
    links: [
      [t`Private models`, "/docs/private-models"],
      [t`Private deployments`, "/docs/deployments"],
      [t`Backends`, "/docs/backends"],
    ],
  },
  {
    title: t`I build a product on it`,
    text: t`Let people sign in to your program with their account here.`,
    links: [
      [t`OAuth for your program`, "/docs/oauth"],
      [t`TypeScript SDK`, "/docs/sdk"],
      [t`Doing things once`, "/docs/idempotency"],
      [t`API reference`, "/docs/api"],
    ],
  },
  {
    title: t`I run a server`,
    text: t`On one machine, for a team, or for many.`,
    links: [
      [t`Self-hosting`, "/docs/self-hosting"],
      [t`Deploying`, "/docs/deploying"],
      [t`Settings`, "/docs/settings"],
      [t`Sign-in and mail`, "/docs/sign-in-and-mail"],
      [t`Backups and upgrades`, "/docs/backups"],
      [t`Plans and billing`, "/docs/plans"],
    ],
  },
] as const;
