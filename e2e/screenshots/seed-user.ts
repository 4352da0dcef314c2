import { createFeather, type Feather } from "@feather/sdk";
import { createAccount } from "../support/accounts.ts";

/** The built-in model that the seeded data uses. */
export const MODEL = "feather/demo";
const REQUEST = { model: MODEL, messages: [{ role: "user" as const, content: "Who are you?" }], max_tokens: 20 };
const REDIRECT_URI = "https://notebook.example/callback";
const MAX_STATE_CHECKS = 45; // one per second

const ANSWER = `The **bee hummingbird**: about 2 g, as much as a paper clip.

| Bird | Weight |
| --- | --- |
| Bee hummingbird | 2 g |
| Goldcrest | 5 g |

\`\`\`ts
const lightest = birds.toSorted((a, b) => a.grams - b.grams)[0];
\`\`\``;

/** Chats that the server keeps, the latest first. The last one has messages, and a link. */
async function seedChats(user: Feather): Promise<void> {
  const titles = ["A recipe for plum cake", "Sorting in place", "Which bird is the lightest?"];
  for (const [index, title] of titles.entries()) {
    const id = crypto.randomUUID();
    const at = new Date(Date.now() - index * 86_400_000);
    const fields = { title, is_named: false, models: [MODEL], settings: {}, selected: {} };
    await user.conversations.put(id, { ...fields, version: 0, created_at: at, updated_at: at, deleted_at: null });
    if (title.endsWith("?")) await seedShare(user, id, title);
  }
}

/** Stores a question and its answer in a chat, and makes a link to both. */
async function seedShare(user: Feather, conversation: string, text: string): Promise<void> {
  const at = new Date();
  const question = { after: [], models: [MODEL], attachments: [], results: [] };
  const answer = { question: "q1", lane: 0, model: MODEL, reasoning: "", tool_calls: [], state: "done" as const };
  const unknown = { finish_reason: "stop", error: null, metrics: null, receipt: null, request_id: null };
  await user.conversations.putEntries(conversation, {
    items: [
      { id: "q1", kind: "question", text, created_at: at, saved_at: at, question },
      { id: "a1", kind: "answer", text: ANSWER, created_at: at, saved_at: at, answer: { ...answer, ...unknown } },
    ],
  });
  await user.chatShares.create({ conversation_id: conversation, entry_ids: ["q1", "a1"], days: 7 });
}

/** Creates keys, calls, reviews, payment methods, credits and invitations. */
export async function seedUser(user: Feather): Promise<void> {
  await user.account.update({ name: "Maria Winter" });
  await user.organization.update({
    name: "Winter Press",
    chat_storage: "server",
    chat_retention_days: 365,
    chat_links: true,
  });
  await seedChats(user);
  await seedWebhooks(user);
  await seedToolServers(user.toolServers);
  for (const tool of ["docs__search", "docs__read_page"]) await user.tools.call(tool, {});
  for (const name of ["laptop", "ci", "notebook"]) await user.apiKeys.create({ name });
  for (let call = 0; call < 12; call++) await user.chat.completions.create(REQUEST);
  await user.chat.completions.create({ ...REQUEST, model: "Qwen/Qwen3-8B" }).catch(() => {});
  await user.models.reviews.create(MODEL, {
    rating: 4,
    review: "Answers at once, knows nothing, and says so.",
    tags: ["fast"],
  });
  await user.models.favorite("Qwen/Qwen3-8B").catch(() => {});
  await user.models.request("Qwen/Qwen3-32B", {}).catch(() => {});
  for (const card of ["4242424242424242", "5555555555554444"]) await addCard(user, card).catch(() => {});
  await user.credits.topUp({ amount_usd_cents: 2_000 }).catch(() => {});
  for (const [email, role] of [
    ["ines@example.com", "developer"],
    ["tom@example.com", "viewer"],
  ] as const)
    await user.organization.invitations.create({ email, role }).catch(() => {});
  await user.budgets.set({ amount_nano_usd: "500000000000", hard: true });
  const { id } = await user.auth.me();
  await user.budgets.setForMember(id, { amount_nano_usd: "20000000000", period: "week" });
}

/**
 * Creates webhook endpoints: one that cannot be reached, and one that is disabled. Call it before the events that are
 * sent to them.
 */
async function seedWebhooks(user: Feather): Promise<void> {
  const { id } = await user.webhooks.create({
    url: "https://hooks.example.com/feather/deployments-of-the-team?token=9f2c1e7b5a",
    description: "Tell the team about deployments and keys",
    event_types: ["deployment.ready", "deployment.failed", "api_key.created", "credits.low"],
  });
  await user.webhooks.test(id);
  const paused = await user.webhooks.create({ url: "https://audit.example.com/in", event_types: ["member.added"] });
  await user.webhooks.update(paused.id, { disabled: true });
}

/** Registers a server of tools with a secret, and one that is switched off. Neither can be reached. */
export async function seedToolServers(servers: Pick<Feather["toolServers"], "set">): Promise<void> {
  await servers.set("docs", {
    url: "https://mcp.example.com/documentation-of-all-teams/mcp",
    header_name: "Authorization",
    header_value: "Bearer example",
    allowed_tools: ["search", "read_page", "list_pages"],
    is_enabled: true,
  });
  await servers.set("tickets", { url: "https://tickets.example.com/mcp", is_enabled: false });
}

async function addCard(user: Feather, number: string): Promise<void> {
  const { id } = await user.paymentMethods.setupIntents.create();
  await user.paymentMethods.setupIntents.confirm(id, { test_card: number });
}

/** Creates a deployment on this machine and waits until it runs. Returns its id; null if it cannot be created. */
export async function seedDeployment(user: Feather): Promise<string | null> {
  const deployment = await user.deployments
    .create({
      name: "support-bot",
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      model_id: MODEL,
      min_replicas: 1,
      max_replicas: 2,
    })
    .catch(() => null);
  if (!deployment) return null;
  for (let attempt = 0; attempt < MAX_STATE_CHECKS; attempt++) {
    if ((await user.deployments.get(deployment.id)).state === "running") break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return deployment.id;
}

/** Creates an OAuth application that the user has authorized. Returns its id, and the query of its consent page. */
export async function seedOAuthApplication(user: Feather): Promise<{ id: string; query: URLSearchParams }> {
  const application = await user.applications.create({
    name: "Notebook",
    redirect_uris: [REDIRECT_URI],
    scopes: ["user.read", "api.access"],
    homepage_url: "https://notebook.example",
  });
  const query = new URLSearchParams({
    client_id: application.id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "user.read api.access",
    state: "look",
  });
  await user.oauth
    .authorize({
      client_id: application.id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope: "user.read",
      state: "look",
      decision: "approve",
    })
    .catch(() => {});
  return { id: application.id, query };
}

/** Adds users referred by a user, one of whom reports a review. */
export async function seedReferrals(user: Feather, baseUrl: string): Promise<void> {
  const { code } = await user.referral.code();
  const { items } = await createFeather({ baseUrl }).models.reviews.list(MODEL);
  for (let friend = 0; friend < 3; friend++) {
    const { feather } = await createAccount(baseUrl);
    await feather.referral.setReferrer({ code });
    const [review] = items;
    if (review && friend === 0)
      await feather.models.reviews.report(MODEL, review.id, { reason: "Not about the model." });
  }
}
