/** What people come for, and the pages that get them there, in order. */
export const GUIDE = [
  {
    title: "I want to call models",
    text: "From an account to answers in your own program.",
    links: [
      ["Getting started", "/docs/quickstart"],
      ["Choose a model", "/models"],
      ["Chat completions", "/docs/chat-completions"],
      ["Streaming", "/docs/streaming"],
      ["Tools", "/docs/tools"],
      ["Errors", "/docs/errors"],
    ],
  },
  {
    title: "I want a model in my editor",
    text: "A coding assistant on your own plan.",
    links: [
      ["Cline", "/cline"],
      ["Roo Code", "/roo-code"],
      ["Other programs that speak OpenAI", "/openai"],
      ["Units and limits", "/docs/limits"],
    ],
  },
  {
    title: "I have a lot to do at once",
    text: "Batches, pools of workers, several people on one plan.",
    links: [
      ["Bulk inference", "/bulk"],
      ["Units and limits", "/docs/limits"],
      ["Limit a key", "/docs/api-keys"],
      ["Organizations and roles", "/docs/organizations"],
    ],
  },
  {
    title: "I have a model of my own",
    text: "Serve it for your team, with or without machines of its own.",
    links: [
      ["Private models", "/docs/private-models"],
      ["Private deployments", "/docs/deployments"],
      ["Backends", "/docs/backends"],
    ],
  },
  {
    title: "I build a product on it",
    text: "Let people sign in to your program with their account here.",
    links: [
      ["OAuth for your program", "/docs/oauth"],
      ["TypeScript SDK", "/docs/sdk"],
      ["Doing things once", "/docs/idempotency"],
      ["API reference", "/docs/api"],
    ],
  },
  {
    title: "I run a server",
    text: "On one machine, for a team, or for many.",
    links: [
      ["Self-hosting", "/docs/self-hosting"],
      ["Settings", "/docs/settings"],
      ["Sign-in and mail", "/docs/sign-in-and-mail"],
      ["Backups and upgrades", "/docs/backups"],
      ["Plans and billing", "/docs/plans"],
    ],
  },
] as const;
