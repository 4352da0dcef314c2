import { expect, test } from "vitest";
import { toExitReport } from "../exit/exit-report.ts";
import { flagsOf } from "../flags.ts";
import { nameGroup } from "../start/parser.ts";
import { parseLine } from "../testing/parse-line.ts";
import { loadAllCommands } from "./command-group.ts";
import { COMMANDS } from "./registry.ts";

const commands = await loadAllCommands(COMMANDS);
const FIRST_PAGE = { limit: 50, page: 1, all: false };

type Line = string | readonly string[];
const toWords = (line: Line): readonly string[] => (typeof line === "string" ? line.split(" ") : line);

/**
 * Lines for each command, with the options that they are parsed to. Dates are written as in JSON, and null means a
 * command without options.
 */
const LINES: readonly (readonly [line: Line, name: string, options: unknown])[] = [
  ["login --base-url https://feather.example", "login", { passwordStdin: false }],
  ["login --device", "login", { method: "device", passwordStdin: false }],
  [
    "login --email maria@example.com --password-stdin",
    "login",
    { method: "password", email: "maria@example.com", passwordStdin: true },
  ],
  ["login --with-token", "login", { method: "token", passwordStdin: false }],
  ["logout", "logout", {}],
  ["whoami", "whoami", {}],
  ["profile list", "profile list", {}],
  ["profile use work", "profile use", { name: "work" }],
  ["profile remove work --yes", "profile remove", { name: "work" }],
  [
    "models list --search coder --size 15B..34B",
    "models list",
    { search: "coder", min_params: 15, max_params: 34, paging: FIRST_PAGE },
  ],
  ["models list --warm --json id,state", "models list", { availability: "warm", paging: FIRST_PAGE }],
  [
    "models list --fit --sort -parameter_size",
    "models list",
    { fit: "fits,fits_quantized", sort: "-parameter_size", paging: FIRST_PAGE },
  ],
  ["models list --family qwen -q", "models list", { family: "qwen", paging: FIRST_PAGE }],
  ["models search qwen coder", "models search", { search: "qwen coder", paging: FIRST_PAGE }],
  ["models search llama --warm -q", "models search", { search: "llama", availability: "warm", paging: FIRST_PAGE }],
  ["models show Qwen/Qwen3-32B", "models show", { id: "Qwen/Qwen3-32B" }],
  ["models stored", "models stored", null],
  ["ps", "ps", null],
  ["rm Qwen/Qwen3-8B", "rm", { id: "Qwen/Qwen3-8B" }],
  ["models files Qwen/Qwen3-8B", "models files", { model: "Qwen/Qwen3-8B" }],
  ["models files Qwen/Qwen3-8B --json file,bytes", "models files", { model: "Qwen/Qwen3-8B" }],
  ["run Qwen/Qwen3-0.6B", "run", { model: "Qwen/Qwen3-0.6B", prompt: "" }],
  [
    ["run", "Qwen/Qwen3-0.6B:Q4_K_M", "Why do feathers insulate?"],
    "run",
    { model: "Qwen/Qwen3-0.6B:Q4_K_M", prompt: "Why do feathers insulate?" },
  ],
  ["run Qwen/Qwen3-0.6B --yes", "run", { model: "Qwen/Qwen3-0.6B", prompt: "" }],
  ["models popular", "models popular", FIRST_PAGE],
  ["models popular --limit 10 -q", "models popular", { limit: 10, page: 1, all: false }],
  ["models families", "models families", null],
  ["models releases --limit 10", "models releases", { limit: 10, page: 1, all: false }],
  ["models favorite Qwen/Qwen3-32B", "models favorite", { id: "Qwen/Qwen3-32B", remove: false }],
  ["models favorite Qwen/Qwen3-32B --remove", "models favorite", { id: "Qwen/Qwen3-32B", remove: true }],
  ["models reviews list Qwen/Qwen3-32B", "models reviews list", { id: "Qwen/Qwen3-32B", paging: FIRST_PAGE }],
  [
    ["models", "reviews", "write", "Qwen/Qwen3-32B", "Careful with long tables.", "--rating", "5", "--tags", "coding"],
    "models reviews write",
    { id: "Qwen/Qwen3-32B", body: { review: "Careful with long tables.", rating: 5, tags: ["coding"] } },
  ],
  [
    "models unlock meta-llama/Llama-3.3-70B-Instruct --with-token",
    "models unlock",
    { id: "meta-llama/Llama-3.3-70B-Instruct", withToken: true },
  ],
  ["models request Qwen/Qwen3-32B", "models request", { id: "Qwen/Qwen3-32B", withToken: false }],
  [
    "models pull Qwen/Qwen2.5-0.5B-Instruct-GGUF --wait",
    "models pull",
    { model: "Qwen/Qwen2.5-0.5B-Instruct-GGUF", waitOptions: { wait: true, timeout: 21600000 } },
  ],
  [
    "models pull Qwen/Qwen2.5-0.5B-Instruct-GGUF --file qwen2.5-0.5b-instruct-q8_0.gguf",
    "models pull",
    {
      model: "Qwen/Qwen2.5-0.5B-Instruct-GGUF",
      file: "qwen2.5-0.5b-instruct-q8_0.gguf",
      waitOptions: { wait: false, timeout: 21600000 },
    },
  ],
  ["models pin Qwen/Qwen3-0.6B", "models pin", { id: "Qwen/Qwen3-0.6B" }],
  ["models unpin Qwen/Qwen3-0.6B", "models unpin", { id: "Qwen/Qwen3-0.6B" }],
  ["models pulls list", "models pulls list", null],
  ["models pulls pause pull_4fJqM1t9Zk", "models pulls pause", { id: "pull_4fJqM1t9Zk" }],
  ["models pulls resume pull_4fJqM1t9Zk", "models pulls resume", { id: "pull_4fJqM1t9Zk" }],
  ["models pulls cancel pull_4fJqM1t9Zk", "models pulls cancel", { id: "pull_4fJqM1t9Zk" }],
  ["chats list --limit 5", "chats list", { limit: 5, page: 1, all: false }],
  ["chats show 6f1c2a34", "chats show", { id: "6f1c2a34" }],
  ["chats export", "chats export", null],
  ["chats import chats.zip --dry-run", "chats import", { path: "chats.zip", isDryRun: true }],
  ["chats share 6f1c2a34 --days 30", "chats share", { id: "6f1c2a34", days: 30 }],
  ["chats share 6f1c2a34", "chats share", { id: "6f1c2a34", days: 7 }],
  ["chats shares list", "chats shares list", {}],
  ["chats shares revoke shr_4fJq --yes", "chats shares revoke", { id: "shr_4fJq" }],
  ["chats delete 6f1c2a34 --yes", "chats delete", { id: "6f1c2a34" }],
  ["chat", "chat", { prompt: "", files: [], images: [], sampling: {}, stream: true, continues: false }],
  [
    ["chat", "-m", "Qwen/Qwen3-32B", "why do feathers insulate?"],
    "chat",
    {
      model: "Qwen/Qwen3-32B",
      prompt: "why do feathers insulate?",
      files: [],
      images: [],
      sampling: {},
      stream: true,
      continues: false,
    },
  ],
  [
    ["chat", "-f", "error.log", "What went wrong?"],
    "chat",
    { prompt: "What went wrong?", files: ["error.log"], images: [], sampling: {}, stream: true, continues: false },
  ],
  [
    ["chat", "-m", "Qwen/Qwen2.5-VL-7B-Instruct", "--image", "bird.png", "What kind of bird is this?"],
    "chat",
    {
      model: "Qwen/Qwen2.5-VL-7B-Instruct",
      prompt: "What kind of bird is this?",
      files: [],
      images: ["bird.png"],
      sampling: {},
      stream: true,
      continues: false,
    },
  ],
  [
    ["chat", "--schema", "person.json", "Maria Winter is 34."],
    "chat",
    {
      prompt: "Maria Winter is 34.",
      files: [],
      images: [],
      sampling: {},
      stream: true,
      schema: "person.json",
      continues: false,
    },
  ],
  [
    ["chat", "--continue", "And why is that?"],
    "chat",
    { prompt: "And why is that?", files: [], images: [], sampling: {}, stream: true, continues: true },
  ],
  [
    ["chat", "Write a commit message."],
    "chat",
    { prompt: "Write a commit message.", files: [], images: [], sampling: {}, stream: true, continues: false },
  ],
  [
    ["rerank", "-m", "Qwen/Qwen3-Reranker-0.6B", "--top", "1", "made of what?", "Stones.", "Feathers."],
    "rerank",
    { model: "Qwen/Qwen3-Reranker-0.6B", query: "made of what?", texts: ["Stones.", "Feathers."], top: 1 },
  ],
  [
    ["speak", "-m", "hexgrad/Kokoro-82M", "-o", "light.ogg", "--speed", "1.5", "Feathers", "are", "light."],
    "speak",
    { model: "hexgrad/Kokoro-82M", text: "Feathers are light.", file: "light.ogg", format: "opus", speed: 1.5 },
  ],
  [
    ["draw", "-m", "black-forest-labs/FLUX.1-schnell", "-n", "2", "-o", "feather.png", "A", "feather"],
    "draw",
    { model: "black-forest-labs/FLUX.1-schnell", text: "A feather", file: "feather.png", n: 2 },
  ],
  [
    "transcribe -m openai/whisper-large-v3 --language en --subtitles srt meeting.mp3",
    "transcribe",
    {
      model: "openai/whisper-large-v3",
      file: "meeting.mp3",
      subtitles: "srt",
      timestamps: false,
      language: "en",
      english: false,
    },
  ],
  [
    ["embed", "-m", "Qwen/Qwen3-Embedding-0.6B", "Feathers are light."],
    "embed",
    { model: "Qwen/Qwen3-Embedding-0.6B", text: "Feathers are light." },
  ],
  [
    "embed -m Qwen/Qwen3-Embedding-0.6B --jq .usage.total_tokens",
    "embed",
    { model: "Qwen/Qwen3-Embedding-0.6B", text: "" },
  ],
  ["keys list", "keys list", { paging: FIRST_PAGE }],
  ["keys list --state unused", "keys list", { state: "unused", paging: FIRST_PAGE }],
  ["keys list --search lap", "keys list", { search: "lap", paging: FIRST_PAGE }],
  ["keys show ci", "keys show", { id: "ci" }],
  ["keys show key_7Kd2mQx4 --json allowed_models", "keys show", { id: "key_7Kd2mQx4" }],
  ["keys create production", "keys create", { name: "production" }],
  ["keys create ci --expires 30d", "keys create", { expires_at: "2026-12-21T12:00:00.000Z", name: "ci" }],
  [
    "keys create bot --models feather/demo --spend-limit 20 --reset month",
    "keys create",
    { allowed_models: ["feather/demo"], spend_limit_nano_usd: "20000000000", limit_reset: "month", name: "bot" },
  ],
  [
    "keys update key_7Kd2mQx4 --max-units 2 --spend-limit 20 --reset month",
    "keys update",
    { id: "key_7Kd2mQx4", changes: { max_concurrency: 2, spend_limit_nano_usd: "20000000000", limit_reset: "month" } },
  ],
  [
    "keys update key_7Kd2mQx4 --models Qwen/Qwen3-32B --ips 203.0.113.0/24",
    "keys update",
    { id: "key_7Kd2mQx4", changes: { allowed_models: ["Qwen/Qwen3-32B"], ip_allowlist: ["203.0.113.0/24"] } },
  ],
  ["keys update key_7Kd2mQx4 --disable", "keys update", { id: "key_7Kd2mQx4", changes: { disabled: true } }],
  ["keys rename key_7Kd2mQx4 staging", "keys rename", { nameOrId: "key_7Kd2mQx4", name: "staging" }],
  ["keys rotate key_7Kd2mQx4", "keys rotate", { id: "key_7Kd2mQx4" }],
  ["keys rotate key_7Kd2mQx4 --grace 0 --yes", "keys rotate", { id: "key_7Kd2mQx4", grace: 0 }],
  ["keys delete ci", "keys delete", { nameOrId: "ci" }],
  ["keys delete key_7Kd2mQx4 --yes", "keys delete", { nameOrId: "key_7Kd2mQx4" }],
  ["provider-keys list", "provider-keys list", null],
  [
    "provider-keys set openrouter --label team --key -",
    "provider-keys set",
    { provider: "openrouter", body: { label: "team" }, withKey: true },
  ],
  ["provider-keys set openrouter", "provider-keys set", { provider: "openrouter", body: {}, withKey: false }],
  ["provider-keys test openrouter", "provider-keys test", { provider: "openrouter" }],
  ["tools list", "tools list", null],
  ["tools calls --limit 5", "tools calls", { paging: { limit: 5, page: 1, all: false } }],
  ["tools call docs__list", "tools call", { name: "docs__list", given: {} }],
  ["tools servers list --everybody", "tools servers list", { everybody: true }],
  [
    "tools servers add docs https://x.example",
    "tools servers add",
    {
      ...{ name: "docs", everybody: false, withSecret: false },
      body: { url: "https://x.example", header_name: null, allowed_tools: null, is_enabled: true },
    },
  ],
  ["tools servers show docs", "tools servers show", { name: "docs", everybody: false }],
  ["tools servers remove docs --yes", "tools servers remove", { name: "docs", everybody: false }],
  ["provider-keys remove openrouter --yes", "provider-keys remove", { provider: "openrouter" }],
  ["webhooks list", "webhooks list", {}],
  [
    "webhooks create https://hooks.example.com/feather --events deployment.ready,deployment.failed",
    "webhooks create",
    { url: "https://hooks.example.com/feather", event_types: ["deployment.ready", "deployment.failed"] },
  ],
  [
    "webhooks create https://hooks.example.com/feather --events member.added --description HR",
    "webhooks create",
    { url: "https://hooks.example.com/feather", event_types: ["member.added"], description: "HR" },
  ],
  [
    "webhooks update whk_4fJqM1t9 --events member.added,member.removed",
    "webhooks update",
    { id: "whk_4fJqM1t9", changes: { event_types: ["member.added", "member.removed"] } },
  ],
  ["webhooks update whk_4fJqM1t9 --enable", "webhooks update", { id: "whk_4fJqM1t9", changes: { disabled: false } }],
  ["webhooks rotate whk_4fJqM1t9 --yes", "webhooks rotate", { id: "whk_4fJqM1t9" }],
  ["webhooks delete whk_4fJqM1t9 --yes", "webhooks delete", { id: "whk_4fJqM1t9" }],
  ["webhooks test whk_4fJqM1t9", "webhooks test", { id: "whk_4fJqM1t9" }],
  [
    "webhooks deliveries whk_4fJqM1t9 --status failed",
    "webhooks deliveries",
    { id: "whk_4fJqM1t9", paging: FIRST_PAGE, status: "failed" },
  ],
  ["webhooks replay whk_4fJqM1t9 whd_7Kd2mQx4", "webhooks replay", { id: "whk_4fJqM1t9", deliveryId: "whd_7Kd2mQx4" }],
  ["usage --last 7d", "usage", { last: 604800000, by: "day", live: false }],
  ["usage --last 30d --by model --csv", "usage", { last: 2592000000, by: "model", live: false }],
  ["usage --live", "usage", { last: 604800000, by: "day", live: true }],
  ["usage requests --last 1h", "usage requests", { last: 3600000, paging: FIRST_PAGE }],
  [
    "usage requests --key laptop --model a/b --member usr_1 --result failed --id req_4",
    "usage requests",
    { key: "laptop", model: "a/b", member: "usr_1", result: "failed", id: "req_4", paging: FIRST_PAGE },
  ],
  [
    "usage requests --key laptop --result failed",
    "usage requests",
    { key: "laptop", result: "failed", paging: FIRST_PAGE },
  ],
  ["usage requests --json id,model,status", "usage requests", { paging: FIRST_PAGE }],
  ["usage show req_9Xk2mQ", "usage show", { id: "req_9Xk2mQ" }],
  ["top", "top", null],
  ["private-models list", "private-models list", null],
  ["private-models show acme/support-8b", "private-models show", { id: "acme/support-8b" }],
  [
    "private-models add acme/support-8b --wait",
    "private-models add",
    { id: "acme/support-8b", body: {}, withToken: false, waitOptions: { wait: true, timeout: 21600000 } },
  ],
  [
    "private-models add acme/support-8b --revision v2 --with-token",
    "private-models add",
    {
      id: "acme/support-8b",
      body: { revision: "v2" },
      withToken: true,
      waitOptions: { wait: false, timeout: 21600000 },
    },
  ],
  [
    "private-models compatibility acme/support-8b",
    "private-models compatibility",
    { id: "acme/support-8b", withToken: false },
  ],
  ["private-models unload acme/support-8b", "private-models unload", { id: "acme/support-8b" }],
  ["private-models delete acme/support-8b", "private-models delete", { id: "acme/support-8b" }],
  ["deployments list", "deployments list", FIRST_PAGE],
  ["deployments show support-bot", "deployments show", { deployment: "support-bot" }],
  [
    "deployments create support-bot -m feather/demo --replicas 0..1",
    "deployments create",
    {
      files: [],
      body: {
        name: "support-bot",
        model_id: "feather/demo",
        min_replicas: 0,
        max_replicas: 1,
      },
      waitOptions: { wait: false, timeout: 900000 },
    },
  ],
  [
    "deployments create -f deployment.yaml --wait",
    "deployments create",
    { files: ["deployment.yaml"], waitOptions: { wait: true, timeout: 900000 } },
  ],
  [
    "deployments apply -f deployment.yaml --dry-run --exit-code",
    "deployments apply",
    {
      files: ["deployment.yaml"],
      dryRun: true,
      exitCode: true,
      prune: false,
      waitOptions: { wait: false, timeout: 900000 },
    },
  ],
  [
    "deployments apply -f deployment.yaml --yes --wait --timeout 20m",
    "deployments apply",
    {
      files: ["deployment.yaml"],
      dryRun: false,
      exitCode: false,
      prune: false,
      waitOptions: { wait: true, timeout: 1200000 },
    },
  ],
  ["deployments export", "deployments export", {}],
  ["deployments export support-bot", "deployments export", { deployment: "support-bot" }],
  ["deployments schema", "deployments schema", null],
  [
    "deployments scale support-bot 2 --wait",
    "deployments scale",
    { deployment: "support-bot", min: 2, max: 2, waitOptions: { wait: true, timeout: 900000 } },
  ],
  [
    "deployments scale support-bot 0..4",
    "deployments scale",
    { deployment: "support-bot", min: 0, max: 4, waitOptions: { wait: false, timeout: 900000 } },
  ],
  ["deployments pause support-bot", "deployments pause", { deployment: "support-bot" }],
  [
    "deployments resume support-bot --wait",
    "deployments resume",
    { deployment: "support-bot", waitOptions: { wait: true, timeout: 900000 } },
  ],
  [
    "deployments restart support-bot --wait",
    "deployments restart",
    { deployment: "support-bot", waitOptions: { wait: true, timeout: 900000 } },
  ],
  ["deployments wait support-bot --timeout 10m", "deployments wait", { deployment: "support-bot", timeout: 600000 }],
  [
    "deployments logs support-bot --since 10m",
    "deployments logs",
    { deployment: "support-bot", since: "10m", follow: false },
  ],
  ["deployments logs support-bot --follow", "deployments logs", { deployment: "support-bot", follow: true }],
  ["deployments metrics support-bot", "deployments metrics", { deployment: "support-bot", lastMs: 86400000 }],
  [
    "deployments metrics support-bot --last 2h --json",
    "deployments metrics",
    { deployment: "support-bot", lastMs: 7200000 },
  ],
  ["deployments open support-bot", "deployments open", { deployment: "support-bot", print: false }],
  ["deployments token support-bot", "deployments token", { deployment: "support-bot" }],
  ["deployments providers", "deployments providers", null],
  ["deployments delete support-bot", "deployments delete", { deployment: "support-bot" }],
  ["status", "status", null],
  ["subscription show", "subscription show", null],
  ["subscription plans", "subscription plans", null],
  ["subscription currencies", "subscription currencies", null],
  ["subscription preview max", "subscription preview", { plan_id: "max" }],
  ["subscription change max", "subscription change", { plan_id: "max" }],
  ["subscription change team --quantity 4 --yes", "subscription change", { plan_id: "team", quantity: 4 }],
  ["subscription cancel", "subscription cancel", null],
  ["subscription resume", "subscription resume", null],
  ["coupons check SPRING", "coupons check", { code: "SPRING" }],
  ["coupons check SPRING --plan max --jq .valid", "coupons check", { code: "SPRING", plan_id: "max" }],
  ["coupons apply SPRING", "coupons apply", { code: "SPRING" }],
  ["coupons remove", "coupons remove", null],
  ["credits balance", "credits balance", null],
  ["credits history", "credits history", FIRST_PAGE],
  ["organization billing", "organization billing", {}],
  ["organization billing --json vat_id", "organization billing", {}],
  [
    [
      "organization",
      "set-billing",
      "--name",
      "Plume SA",
      "--address",
      "Quai 1, 75001 Paris",
      "--vat-id",
      "FR32123456789",
    ],
    "organization set-billing",
    { name: "Plume SA", address: "Quai 1\n75001 Paris", vat_id: "FR32123456789" },
  ],
  [
    "organization set-billing --email accounting@example.com",
    "organization set-billing",
    { email: "accounting@example.com" },
  ],
  ["organization set-billing --currency EUR", "organization set-billing", { currency: "EUR" }],
  ["invoices credit-notes", "invoices credit-notes", FIRST_PAGE],
  ["invoices credit-notes --all --csv", "invoices credit-notes", { limit: 50, page: 1, all: true }],
  ["invoices list", "invoices list", FIRST_PAGE],
  ["invoices list --all --csv", "invoices list", { limit: 50, page: 1, all: true }],
  ["invoices download inv_4fJqM1t9Zk --xml", "invoices download", { format: "xml", id: "inv_4fJqM1t9Zk" }],
  ["invoices download inv_4fJqM1t9Zk", "invoices download", { format: "pdf", id: "inv_4fJqM1t9Zk" }],
  ["invoices download inv_4fJqM1t9Zk -o -", "invoices download", { format: "pdf", id: "inv_4fJqM1t9Zk", output: "-" }],
  ["credits history --all --csv", "credits history", { limit: 50, page: 1, all: true }],
  ["credits auto-top-up show", "credits auto-top-up show", null],
  [
    "credits auto-top-up set --below 10 --buy $50 --limit 200.50",
    "credits auto-top-up set",
    { below: 1000, buy: 5000, limit: 20_050 },
  ],
  ["credits auto-top-up delete", "credits auto-top-up delete", null],
  ["credits metering show", "credits metering show", null],
  ["credits metering set --limit 100", "credits metering set", { limit: 10_000 }],
  ["credits metering off", "credits metering off", null],
  ["attention", "attention", null],
  ["budgets show", "budgets show", {}],
  [
    "budgets set 2.50 --member usr_2 --period day --hard --warn 90",
    "budgets set",
    {
      member: "usr_2",
      budget: { amount_nano_usd: "2500000000", period: "day", hard: true, warning_percent: 90 },
    },
  ],
  ["budgets delete --member usr_2 --yes", "budgets delete", { member: "usr_2" }],
  ["organization show", "organization show", {}],
  [
    "organization set --chats server --chat-days 90",
    "organization set",
    { chat_storage: "server", chat_retention_days: 90 },
  ],
  ["organization set --chat-links on", "organization set", { chat_links: true }],
  ["organization set --calls-elsewhere default", "organization set", { calls_elsewhere: null }],
  ["organization set --name Acme --calls-elsewhere off", "organization set", { name: "Acme", calls_elsewhere: false }],
  ["account delete", "account delete", { passwordStdin: false }],
  ["account delete --yes --password-stdin", "account delete", { passwordStdin: true }],
  ["apps list", "apps list", null],
  ["apps show app_3Lk9", "apps show", { id: "app_3Lk9" }],
  [
    "apps create Notes --redirect https://notes.example/callback",
    "apps create",
    {
      name: "Notes",
      redirect_uris: ["https://notes.example/callback"],
      scopes: ["user.read"],
      client_type: "confidential",
    },
  ],
  [
    "apps create Notes --public --redirect http://127.0.0.1/callback --scope api.access",
    "apps create",
    { name: "Notes", redirect_uris: ["http://127.0.0.1/callback"], scopes: ["api.access"], client_type: "public" },
  ],
  [
    "apps update app_3Lk9 --name Notes --scope user.read,api.access",
    "apps update",
    { id: "app_3Lk9", changes: { name: "Notes", scopes: ["user.read", "api.access"] } },
  ],
  ["apps enable app_3Lk9", "apps enable", { id: "app_3Lk9" }],
  ["apps disable app_3Lk9", "apps disable", { id: "app_3Lk9" }],
  ["apps rotate-secret app_3Lk9", "apps rotate-secret", { id: "app_3Lk9" }],
  ["apps delete app_3Lk9", "apps delete", { id: "app_3Lk9" }],
  ["admin users list --search maria", "admin users list", { search: "maria", paging: FIRST_PAGE }],
  ["admin users list --state suspended -q", "admin users list", { status: "suspended", paging: FIRST_PAGE }],
  ["admin users show maria@example.com", "admin users show", { who: "maria@example.com" }],
  ["admin users approve maria@example.com", "admin users approve", { who: "maria@example.com" }],
  [
    ["admin", "users", "refuse", "maria@example.com", "--reason", "For members of the institute"],
    "admin users refuse",
    { who: "maria@example.com", reason: "For members of the institute" },
  ],
  [
    ["admin", "users", "suspend", "maria@example.com", "--reason", "Sends unsolicited mail"],
    "admin users suspend",
    { who: "maria@example.com", changes: { suspended: true, reason: "Sends unsolicited mail" }, passwordStdin: false },
  ],
  [
    "admin users restore maria@example.com",
    "admin users restore",
    { who: "maria@example.com", changes: { suspended: false }, passwordStdin: false },
  ],
  [
    "admin users grant-plan maria@example.com max",
    "admin users grant-plan",
    { who: "maria@example.com", plan_id: "max" },
  ],
  [
    ["admin", "users", "grant-credits", "maria@example.com", "--amount", "20", "--reason", "For the outage"],
    "admin users grant-credits",
    { who: "maria@example.com", amount: "20000000000", reason: "For the outage" },
  ],
  [
    "admin users advance-time maria@example.com --days 31",
    "admin users advance-time",
    { who: "maria@example.com", days: 31 },
  ],
  [
    "admin users make-admin maria@example.com",
    "admin users make-admin",
    { who: "maria@example.com", changes: { is_admin: true }, passwordStdin: false },
  ],
  [
    "admin users make-admin maria --revoke --password-stdin",
    "admin users make-admin",
    { who: "maria", changes: { is_admin: false }, passwordStdin: true },
  ],
  [
    ["admin", "users", "reset-second-factor", "maria@example.com", "--reason", "Lost the telephone"],
    "admin users reset-second-factor",
    { who: "maria@example.com", reason: "Lost the telephone", passwordStdin: false },
  ],
  ["admin invitations list", "admin invitations list", { paging: FIRST_PAGE }],
  ["admin invitations create joe@example.com", "admin invitations create", { email: "joe@example.com" }],
  [
    "admin invitations withdraw invite_4fJqM1t9ZkX2vLr8NwB6yH --yes",
    "admin invitations withdraw",
    { id: "invite_4fJqM1t9ZkX2vLr8NwB6yH" },
  ],
  ["admin models list --state pending_deploy", "admin models list", { status: "pending_deploy", paging: FIRST_PAGE }],
  ["admin models list --json id,disabled", "admin models list", { paging: FIRST_PAGE }],
  ["admin models create Qwen/Qwen3-32B", "admin models create", { body: { id: "Qwen/Qwen3-32B" }, withToken: false }],
  [
    "admin models create meta-llama/Llama-3.3-70B-Instruct --with-token",
    "admin models create",
    { body: { id: "meta-llama/Llama-3.3-70B-Instruct" }, withToken: true },
  ],
  [
    "admin models create acme/writer --class qwen3-32b --context 32768 --disable",
    "admin models create",
    { body: { id: "acme/writer", model_class: "qwen3-32b", context_length: 32768, disabled: true }, withToken: false },
  ],
  [
    "admin models update acme/writer --enable --plans pro,max",
    "admin models update",
    { id: "acme/writer", changes: { plan_ids: ["pro", "max"], disabled: false } },
  ],
  ["admin models delete acme/writer", "admin models delete", { id: "acme/writer" }],
  ["admin models redeploy Qwen/Qwen3-32B --yes", "admin models redeploy", { id: "Qwen/Qwen3-32B" }],
  [
    "admin models probe Qwen/Qwen3-32B --wait",
    "admin models probe",
    { id: "Qwen/Qwen3-32B", waitOptions: { wait: true, timeout: 900000 } },
  ],
  ["stop Qwen/Qwen3-32B --yes", "stop", { id: "Qwen/Qwen3-32B" }],
  [
    "admin invoices list --search maria@example.com",
    "admin invoices list",
    { search: "maria@example.com", paging: FIRST_PAGE },
  ],
  [
    "admin invoices export --month 2026-11 -o invoices.csv",
    "admin invoices export",
    { month: "2026-11", kind: "invoices", file: "invoices.csv" },
  ],
  [
    "admin invoices export --month 2026-11 --kind taxes",
    "admin invoices export",
    { month: "2026-11", kind: "taxes", file: "-" },
  ],
  ["admin invoices list --state open -q", "admin invoices list", { status: "open", paging: FIRST_PAGE }],
  ["admin invoices refund inv_4fJqM1t9Zk", "admin invoices refund", { id: "inv_4fJqM1t9Zk" }],
  ["admin invoices refund inv_4fJqM1t9Zk --amount 10", "admin invoices refund", { id: "inv_4fJqM1t9Zk", amount: "10" }],
  ["admin marketplaces list --state pending", "admin marketplaces list", { status: "pending", paging: FIRST_PAGE }],
  ["admin marketplaces list --marketplace aws -q", "admin marketplaces list", { provider: "aws", paging: FIRST_PAGE }],
  ["admin marketplaces meters list", "admin marketplaces meters list", null],
  [
    "admin marketplaces meters set aws feather_request_pricing --dimension extra_usage --price 0.01 --limit 500",
    "admin marketplaces meters set",
    {
      provider: "aws",
      offer: "feather_request_pricing",
      dimension: "extra_usage",
      unit_price_usd: "0.01",
      max_monthly_usd_cents: 50_000,
    },
  ],
  [
    "admin marketplaces meters remove aws feather_request_pricing",
    "admin marketplaces meters remove",
    { provider: "aws", offer: "feather_request_pricing" },
  ],
  ["admin marketplaces usage --state refused", "admin marketplaces usage", { status: "refused", paging: FIRST_PAGE }],
  [
    "admin marketplaces payouts list --marketplace aws",
    "admin marketplaces payouts list",
    { provider: "aws", paging: FIRST_PAGE },
  ],
  [
    "admin marketplaces payouts record aws --reference DISB-42 --date 2026-11-28 --amount 97 --fee 3",
    "admin marketplaces payouts record",
    { provider: "aws", reference: "DISB-42", paid_on: "2026-11-28", amount_usd_cents: 9700, fee_usd_cents: 300 },
  ],
  [
    ["admin", "marketplaces", "payouts", "reverse", "mpo_4fJqM1t9Zk", "--reason", "The amount was that of October"],
    "admin marketplaces payouts reverse",
    { id: "mpo_4fJqM1t9Zk", reason: "The amount was that of October" },
  ],
  ["admin marketplaces settle mkt_4fJqM1t9Zk", "admin marketplaces settle", { id: "mkt_4fJqM1t9Zk" }],
  [
    ["admin", "marketplaces", "reject", "mkt_4fJqM1t9Zk", "--reason", "The contract is not signed"],
    "admin marketplaces reject",
    { id: "mkt_4fJqM1t9Zk", reason: "The contract is not signed" },
  ],
  ["admin plans list", "admin plans list", null],
  ["admin plans list --json id,is_public", "admin plans list", null],
  ["admin plans subscribers feather_basic", "admin plans subscribers", { id: "feather_basic" }],
  ["admin currencies list", "admin currencies list", null],
  ["admin currencies list --json code,units_per_usd", "admin currencies list", null],
  ["admin currencies set EUR 0.92", "admin currencies set", { code: "EUR", units_per_usd: "0.92" }],
  [
    "admin currencies set JPY 150.25 --default",
    "admin currencies set",
    { code: "JPY", units_per_usd: "150.25", is_default: true },
  ],
  ["admin currencies remove eur", "admin currencies remove", { code: "EUR" }],
  ["admin settings list mail", "admin settings list", { search: "mail", isChanged: false }],
  ["admin settings list --changed --json name,value,source", "admin settings list", { isChanged: true }],
  [
    ["admin", "settings", "set", "FEATHER_PRODUCT_NAME=Acme models", "FEATHER_REGISTRATION=invite"],
    "admin settings set",
    { values: { FEATHER_PRODUCT_NAME: "Acme models", FEATHER_REGISTRATION: "invite" } },
  ],
  ["admin settings set SMTP_URL=-", "admin settings set", { values: { SMTP_URL: "-" } }],
  [
    "admin settings unset FEATHER_PRODUCT_NAME SMTP_URL",
    "admin settings unset",
    { names: ["FEATHER_PRODUCT_NAME", "SMTP_URL"] },
  ],
  ["admin settings restart --yes", "admin settings restart", null],
  ["admin prices list", "admin prices list", { paging: FIRST_PAGE }],
  [
    "admin prices list --model Qwen/Qwen3-32B --csv",
    "admin prices list",
    { model: "Qwen/Qwen3-32B", paging: FIRST_PAGE },
  ],
  [
    "admin prices set Qwen/Qwen3-32B --read 0.10 --written 0.40 --from 2027-01-01",
    "admin prices set",
    {
      model: "Qwen/Qwen3-32B",
      price: { prompt: "0.0000001", completion: "0.0000004", effective_at: "2027-01-01T00:00:00.000Z" },
    },
  ],
  ["admin deployments list", "admin deployments list", FIRST_PAGE],
  ["admin deployments show dep_4fJq", "admin deployments show", { id: "dep_4fJq" }],
  ["admin deployments redeploy dep_1 dep_2 --yes", "admin deployments redeploy", { ids: ["dep_1", "dep_2"] }],
  ["admin backends list", "admin backends list", null],
  ["admin providers", "admin providers", null],
  ["admin providers --json id,key_url", "admin providers", null],
  [
    "admin backends add openrouter",
    "admin backends add",
    { body: {}, provider: "openrouter", placeholders: {}, withKey: false },
  ],
  [
    "admin backends add bedrock --region eu-central-1 --key -",
    "admin backends add",
    { body: {}, provider: "bedrock", placeholders: { region: "eu-central-1" }, withKey: true },
  ],
  [
    "admin backends add vertex --project my-project-123 --key -",
    "admin backends add",
    { body: {}, provider: "vertex", placeholders: { project: "my-project-123" }, withKey: true },
  ],
  [
    "admin backends add gpu-1 https://gpu-1.example/v1",
    "admin backends add",
    {
      body: { name: "gpu-1", base_url: "https://gpu-1.example/v1" },
      provider: null,
      placeholders: {},
      withKey: false,
    },
  ],
  [
    "admin backends add gpu-2 https://gpu-2.example/v1 --with-key",
    "admin backends add",
    { body: { name: "gpu-2", base_url: "https://gpu-2.example/v1" }, provider: null, placeholders: {}, withKey: true },
  ],
  [
    "admin backends add hosted https://hosted.example/v1 --alias accounts/hosted/models/llama-v3=meta-llama/Llama-3-8B",
    "admin backends add",
    {
      body: {
        name: "hosted",
        base_url: "https://hosted.example/v1",
        aliases: [{ name: "accounts/hosted/models/llama-v3", as: "meta-llama/Llama-3-8B" }],
      },
      provider: null,
      placeholders: {},
      withKey: false,
    },
  ],
  [
    "admin backends update backend_1 --alias accounts/hosted/models/llama-v3=meta-llama/Llama-3-8B",
    "admin backends update",
    {
      id: "backend_1",
      changes: {},
      aliases: [{ name: "accounts/hosted/models/llama-v3", as: "meta-llama/Llama-3-8B" }],
      removedAliases: [],
      withKey: false,
    },
  ],
  [
    "admin backends update backend_1 --models all --weight 2",
    "admin backends update",
    { id: "backend_1", changes: { models: [], weight: 2 }, aliases: [], removedAliases: [], withKey: false },
  ],
  ["admin backends test backend_1", "admin backends test", { id: "backend_1" }],
  [
    "admin backends test backend_1 --model Qwen/Qwen3-32B",
    "admin backends test",
    { id: "backend_1", model: "Qwen/Qwen3-32B" },
  ],
  ["admin backends keys list backend_1", "admin backends keys list", { id: "backend_1" }],
  ["admin backends keys list backend_1 --json label,state", "admin backends keys list", { id: "backend_1" }],
  [
    "admin backends keys add backend_1 --label team-b",
    "admin backends keys add",
    { id: "backend_1", body: { label: "team-b" }, withKey: false },
  ],
  [
    "admin backends keys add backend_1 --weight 3 --with-key",
    "admin backends keys add",
    { id: "backend_1", body: { weight: 3 }, withKey: true },
  ],
  [
    "admin backends keys update backend_1 team-b --weight 3",
    "admin backends keys update",
    { id: "backend_1", key: "team-b", body: { weight: 3 } },
  ],
  [
    "admin backends keys remove backend_1 team-b --yes",
    "admin backends keys remove",
    { id: "backend_1", key: "team-b" },
  ],
  ["admin backends remove backend_1 --yes", "admin backends remove", { id: "backend_1" }],
  ["admin routes list", "admin routes list", null],
  ["admin routes set fast a/b c/d", "admin routes set", { name: "fast", models: ["a/b", "c/d"] }],
  ["admin routes order", "admin routes order", { order: null }],
  ["admin routes order own_first", "admin routes order", { order: "own_first" }],
  ["admin routes own-key-fee", "admin routes own-key-fee", { percent: null }],
  ["admin routes own-key-fee 2.5", "admin routes own-key-fee", { percent: 2.5 }],
  ["admin routes below-cost", "admin routes below-cost", { choice: null }],
  ["admin routes below-cost refuse", "admin routes below-cost", { choice: "refuse" }],
  ["admin routes remove fast --yes", "admin routes remove", { name: "fast" }],
  ["admin payments check", "admin payments check", {}],
  ["admin revenue --months 3", "admin revenue", { months: 3 }],
  ["admin usage --last 30d --by organization", "admin usage", { last: 2592000000, by: ["organization"] }],
  ["admin usage --by day,model --csv", "admin usage", { last: 604800000, by: ["day", "model"] }],
  ["admin operations", "admin operations", null],
  ["admin operations --jq .jobs[]|select(.lag_seconds>60)|.name", "admin operations", null],
  ["admin audit list --action access.denied", "admin audit list", { action: "access.denied", paging: FIRST_PAGE }],
  [
    "admin audit list --from 2026-11-01 --all --csv",
    "admin audit list",
    { from_date: "2026-11-01", paging: { limit: 50, page: 1, all: true } },
  ],
  ["admin mails list", "admin mails list", null],
  ["admin mails list --jq .items[]|select(.is_edited)|.name", "admin mails list", null],
  ["admin mails show payment_failed", "admin mails show", { name: "payment_failed", default: false }],
  ["admin mails show payment_failed --default", "admin mails show", { name: "payment_failed", default: true }],
  ["admin mails edit payment_failed", "admin mails edit", { name: "payment_failed" }],
  [
    "admin mails edit payment_failed --file payment_failed.txt",
    "admin mails edit",
    { name: "payment_failed", file: "payment_failed.txt" },
  ],
  ["admin mails preview payment_failed", "admin mails preview", { name: "payment_failed" }],
  [
    "admin mails preview payment_failed --file payment_failed.txt",
    "admin mails preview",
    { name: "payment_failed", file: "payment_failed.txt" },
  ],
  ["admin mails reset payment_failed --yes", "admin mails reset", { name: "payment_failed" }],
  ["admin mails test payment_failed", "admin mails test", { name: "payment_failed" }],
  ["admin outbox list --state failed", "admin outbox list", { state: "failed", paging: FIRST_PAGE }],
  [
    "admin outbox list --search maria --jq .items[0].text",
    "admin outbox list",
    { search: "maria", paging: FIRST_PAGE },
  ],
  [
    "api /feather/models -f search=coder --jq .items[].id",
    "api",
    {
      method: "GET",
      path: "/feather/models",
      rawFields: ["search=coder"],
      typedFields: [],
      headers: [],
      paginate: false,
      include: false,
    },
  ],
  [
    "api POST /api-keys -f name=ci -F scopes[]=api.access",
    "api",
    {
      method: "POST",
      path: "/api-keys",
      rawFields: ["name=ci"],
      typedFields: ["scopes[]=api.access"],
      headers: [],
      paginate: false,
      include: false,
    },
  ],
  [
    "api /api-keys --paginate",
    "api",
    { method: "GET", path: "/api-keys", rawFields: [], typedFields: [], headers: [], paginate: true, include: false },
  ],
  [
    "api POST /v1/chat/completions --input request.json",
    "api",
    {
      method: "POST",
      path: "/v1/chat/completions",
      rawFields: [],
      typedFields: [],
      headers: [],
      input: "request.json",
      paginate: false,
      include: false,
    },
  ],
  ["open usage", "open", { path: "/account/usage", print: false }],
  ["open Qwen/Qwen3-32B", "open", { path: "/models/Qwen/Qwen3-32B", print: false }],
  ["open keys --print", "open", { path: "/account/api-keys", print: true }],
  ["doctor", "doctor", {}],
  ["completion fish", "completion", { shell: "fish" }],
  ["completion powershell", "completion", { shell: "powershell" }],
  ["complete -- models sh", "complete", { words: ["models", "sh"] }],
  ["completion bash", "completion", { shell: "bash" }],
  ["ls --page 3 --limit 20", "models list", { paging: { limit: 20, page: 3, all: false } }],
  ["run a/b -- what --json means", "run", { model: "a/b", prompt: "what --json means" }],
  ["models show --json a/b", "models show", { id: "a/b" }],
  ["--profile work deployments show", "deployments show", { deployment: "" }],
  [
    "deployments apply -f a.yaml -f b.yaml --prune --timeout 90",
    "deployments apply",
    {
      files: ["a.yaml", "b.yaml"],
      dryRun: false,
      exitCode: false,
      prune: true,
      waitOptions: { wait: true, timeout: 90000 },
    },
  ],
  [
    [
      "chat",
      "--temperature",
      "0",
      "--top-p",
      "0.5",
      "--max-tokens",
      "9",
      "--seed",
      "-1",
      "--queue",
      "60",
      "--no-stream",
      "-s",
      "Be brief.",
      "hi",
      "there",
    ],
    "chat",
    {
      system: "Be brief.",
      prompt: "hi there",
      files: [],
      images: [],
      sampling: { temperature: 0, seed: -1, top_p: 0.5, max_tokens: 9 },
      stream: false,
      continues: false,
      queue: 60,
    },
  ],
  [
    "keys create ci --expires none --max-units none --ips none",
    "keys create",
    { ip_allowlist: [], max_concurrency: null, expires_at: null, name: "ci" },
  ],
  ["keys create ci --expires 2027-03-01", "keys create", { expires_at: "2027-03-01T00:00:00.000Z", name: "ci" }],
  [
    "admin audit list --last 7d --impersonated",
    "admin audit list",
    { impersonated: true, from_date: "2026-11-14", paging: FIRST_PAGE },
  ],
  [
    ["api", "delete", "api-keys/key_1", "-H", "x-a: b"],
    "api",
    {
      method: "DELETE",
      path: "/api-keys/key_1",
      rawFields: [],
      typedFields: [],
      headers: [["x-a", "b"]],
      paginate: false,
      include: false,
    },
  ],
];

test.each(LINES)("%j is parsed", async (line, name, options) => {
  const parsed = await parseLine(toWords(line));
  expect({ ...parsed, options: JSON.parse(JSON.stringify(parsed.options ?? null)) }).toEqual({ name, options });
});

test("every command has a line that is parsed", () => {
  const parsedNames = new Set(LINES.map(([, name]) => name));
  expect(commands.map(({ name }) => name).filter((name) => !parsedNames.has(name))).toEqual([]);
});

/** Returns the error message for a line that is not understood. */
async function explain(line: Line): Promise<{ exitCode: number; text: string }> {
  const argv = toWords(line);
  try {
    await parseLine(argv);
  } catch (error) {
    const { exitCode, message, notes } = toExitReport(error, nameGroup(argv));
    return { exitCode, text: [message, ...notes.map(([label, text]) => `${label}: ${text}`)].join("\n") };
  }
  throw new Error(`${argv.join(" ")} is understood`);
}

/** What a command's required arguments can be. */
const requiredArguments = ({ arguments: all = [] }: (typeof commands)[number]): readonly string[] =>
  all.filter(({ name }) => name.startsWith("<")).map(({ choices }) => choices?.[0] ?? "1");

const named = commands.filter(({ hidden }) => !hidden).map((command) => [command.name, command] as const);

test.each(named)("%s names a flag that it does not know", async (name, command) => {
  const { exitCode, text } = await explain([...name.split(" "), ...requiredArguments(command), "--no-such-flag"]);
  expect([exitCode, text]).toEqual([2, expect.stringContaining("unknown option '--no-such-flag'")]);
});

test.each(named.filter(([, command]) => requiredArguments(command).length > 0))(
  "%s names the argument that is missing",
  async (name, command) => {
    const missing = command.arguments?.findLast((one) => one.name.startsWith("<"))?.name.replace(/[<>.]/g, "");
    const words = [...name.split(" "), ...requiredArguments(command).slice(0, -1)];
    const { exitCode, text } = await explain(words);
    expect([exitCode, text]).toEqual([2, expect.stringContaining(`missing required argument '${missing}'`)]);
  },
);

test.each(named.filter(([, command]) => !command.arguments?.some(({ name }) => name.includes("..."))))(
  "%s takes no more arguments than it has",
  async (name, command) => {
    const { arguments: all = [] } = command;
    const words = [...name.split(" "), ...all.map(({ choices }) => choices?.[0] ?? "1"), "one-more"];
    const { exitCode, text } = await explain(words);
    expect([exitCode, text]).toEqual([2, expect.stringMatching(/too many arguments|unknown command 'one-more'/)]);
  },
);

const withChoices = named.flatMap(([name, command]) =>
  flagsOf(command).flatMap((flag) =>
    flag.choices === undefined ? [] : [[name, /--[\w-]+/.exec(flag.name)?.[0] ?? "", flag.choices, command] as const],
  ),
);

test.each(withChoices)("%s %s names the values that it takes", async (name, flag, choices, command) => {
  const words = [...name.split(" "), ...requiredArguments(command), flag, "no-such-value"];
  const { exitCode, text } = await explain(words);
  expect([exitCode, text]).toEqual([2, expect.stringContaining(`Allowed choices are ${choices.join(", ")}`)]);
});

test.each<[Line, string]>([
  ["models list --limit 0", "between 1 and 100000"],
  ["models list --limit many", "whole number"],
  ["models list --all --page 2", "--all and --page exclude each other"],
  ["models list --limit 500 --page 2", "--page goes with pages of at most 100"],
  ["models list --size big", "big is not a range of sizes"],
  ["models list --takes smell", "It takes text, image."],
  ["login --device --with-token", "exclude"],
  ["chat --temperature 9 hi", "between 0 and 2"],
  ["chat --queue 601 hi", "between 0 and 600"],
  ["embed hi", "a model is missing"],
  ["keys update key_1", "nothing to change"],
  ["keys update key_1 --enable --disable", "--disable and --enable exclude each other"],
  ["keys create ci --expires soon", "a time from now, such as 30d or 12h"],
  ["keys create ci --spend-limit lots", "an amount of dollars"],
  ["keys create ci --scope everything", "It takes "],
  ["keys rotate key_1 --grace soon", "such as 90s or 15m"],
  ["usage --live --by model", "--live and --by exclude each other"],
  ["usage --last 2000d", "at most 1000 days"],
  ["deployments create bot", "a model is missing"],
  ["deployments create bot -f x.yaml", "exclude each other"],
  ["deployments create bot -m a/b --replicas 3..1", "is not a number of replicas"],
  ["deployments scale bot 0", "is not a number of replicas"],
  ["deployments apply", "no file was given"],
  ["deployments apply -f x.yaml --exit-code", "--exit-code goes with --dry-run only"],
  ["deployments wait bot --timeout soon", "such as 90s or 15m"],
  ["deployments logs bot --tail 0", "between 1 and 10000"],
  ["deployments metrics bot --last 0", "--last is at least 1s"],
  ["api FETCH /x", "FETCH is not a method"],
  ["api POST", "POST needs a path"],
  ["api https://other.example/x", "without the server"],
  ["api POST /x --paginate", "--paginate goes with GET only"],
  ["api /x -H nonsense", "nonsense is not a header"],
  ["admin audit list --last 7d --from 2026-11-01", "--last and --from exclude each other"],
  ["admin audit list --from soon", "It must be a day"],
  ["admin prices set a/b --read 1 --written 2 --from soon", "It must be a date"],
  ["admin invoices refund inv_1 --amount lots", "lots"],
  ["admin currencies set EURO 1", "three letters"],
  ["admin currencies set EUR 0", "above 0"],
  ["admin currencies set EUR 1e3", "a rate is a decimal"],
  ["admin settings set FEATHER_REGISTRATION", "not NAME=VALUE"],
  ["admin settings set A=1 A=2", "A is there twice"],
  ["admin settings set A=- B=-", "only one value can come from stdin"],
  ["admin users suspend maria", "reason"],
  ["admin marketplaces reject mkt_1", "reason"],
  ["admin marketplaces meters set other o --dimension d --price 1 --limit 1", "aws, azure or gcp"],
  ["admin marketplaces meters set aws o --price 1 --limit 1", "--dimension"],
  ["admin marketplaces meters set aws o --dimension d --price 0 --limit 1", "a price is"],
  ["admin marketplaces payouts record other --reference r --date 2026-11-28 --amount 1", "aws, azure or gcp"],
  ["admin marketplaces payouts record aws --date 2026-11-28 --amount 1", "--reference"],
  ["admin marketplaces payouts reverse mpo_1", "reason"],
  ["credits metering set", "--limit"],
  ["subscription change team --quantity 0", "whole number"],
  ["models reviews write a/b text --rating 9", "between 1 and 5"],
  ["apps create Notes", "--redirect"],
  ["completion tcsh", "Allowed choices are bash, zsh, fish, powershell"],
])("%j is refused with %j", async (line, message) => {
  const { exitCode, text } = await explain(line);
  expect([exitCode, text]).toEqual([2, expect.stringContaining(message)]);
});
