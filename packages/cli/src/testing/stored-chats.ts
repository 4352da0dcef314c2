const AT = "2026-11-21T10:00:00.000Z";

/** Returns a conversation as the API returns it. */
export const storedConversation = (id: string, overrides: object = {}) => ({
  id,
  title: "Feathers",
  is_named: false,
  models: ["acme/one"],
  settings: { system: "" },
  selected: {},
  is_pinned: false,
  is_archived: false,
  folder: null,
  version: 1,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  ...overrides,
});

/** Returns an organization as the API returns it, with where it keeps chats. */
export const buildOrganization = (chat_storage: string) => ({
  id: "org_1",
  name: "Acme",
  role: "owner",
  calls_elsewhere: true,
  chat_storage,
  chat_retention_days: null,
  chat_links: false,
  created_at: AT,
});

/** Returns a question of a conversation. Entries are ordered by their minute. */
export const storedQuestion = (id: string, minute: number, after: string[], text: string, overrides: object = {}) => ({
  id,
  kind: "question",
  text,
  created_at: at(minute),
  saved_at: at(minute),
  question: { after, models: ["acme/one"], attachments: [], results: [], ...overrides },
});

/** Returns an answer of a conversation to a question. */
export const storedAnswer = (id: string, minute: number, question: string, text: string, overrides: object = {}) => ({
  id,
  kind: "answer",
  text,
  created_at: at(minute),
  saved_at: at(minute),
  answer: {
    question,
    lane: 0,
    model: "acme/one",
    reasoning: "",
    tool_calls: [],
    state: "done",
    finish_reason: "stop",
    error: null,
    metrics: null,
    receipt: null,
    request_id: null,
    ...overrides,
  },
});

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`;
