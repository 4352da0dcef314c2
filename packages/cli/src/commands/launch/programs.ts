/** What a program is started with. */
export type ModelAccess = {
  /** URL of the server's site, without a trailing slash. */
  readonly baseUrl: string;
  /** Secret of the key that the program calls with. */
  readonly key: string;
  /** Id of the model. */
  readonly model: string;
  /** Tokens that the model reads and writes in one call, at most; null if unknown. */
  readonly contextLength: number | null;
  /** When the run begins. */
  readonly startedAt: Date;
  /** Path of a folder for the program's files that only this user can read, and that is deleted after the run. */
  readonly folder: string;
};

/** Variables of the environment; `undefined` removes one. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** How one program learns about server, key and model, without a change to the person's own settings of it. */
export type Program = {
  /** The command that starts it. */
  readonly command: string;
  /** Where it comes from. */
  readonly install: string;
  /** Arguments that go before those of the person. The secret is never among them: others can list arguments. */
  readonly args?: (access: ModelAccess) => readonly string[];
  readonly variables: (access: ModelAccess) => Variables;
  /** Contents of files in the folder, by name. */
  readonly files?: (access: ModelAccess) => Readonly<Record<string, string>>;
};

/** Name of the file in which Cline keeps its providers. */
const CLINE_FILE = "providers.json";
/** Cline's name for servers that speak OpenAI's API. */
const CLINE_PROVIDER = "openai-compatible";

/** The programs that `feather launch` starts, by the name that people type. */
export const PROGRAMS = {
  claude: {
    command: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    variables: ({ baseUrl, key, model, contextLength }) => ({
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_API_KEY: undefined, // it would go before the token
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_SUBAGENT_MODEL: model,
      ...(contextLength !== null && {
        CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextLength),
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(toAnswerLength(contextLength)),
      }),
    }),
  },
  codex: {
    command: "codex",
    install: "npm install -g @openai/codex",
    args: ({ baseUrl, model, contextLength }) =>
      [
        'model_provider="feather"',
        `model_providers.feather={name="Feather",base_url=${JSON.stringify(`${baseUrl}/v1`)},env_key="FEATHER_API_KEY",wire_api="responses"}`,
        `model=${JSON.stringify(model)}`,
        ...(contextLength === null ? [] : [`model_context_window=${contextLength}`]),
      ].flatMap((setting) => ["-c", setting]),
    variables: ({ key }) => ({ FEATHER_API_KEY: key }),
  },
  opencode: {
    command: "opencode",
    install: "npm install -g opencode-ai",
    variables: (access) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(createOpencodeSettings(access)) }),
  },
  cline: {
    command: "cline",
    install: "npm install -g cline",
    // Where Cline cannot read the file, it would go to its makers' service; so the provider is named here too.
    args: ({ model }) => ["-P", CLINE_PROVIDER, "-m", model],
    variables: ({ folder }) => ({ CLINE_PROVIDER_SETTINGS_PATH: `${folder}/${CLINE_FILE}` }),
    files: (access) => ({ [CLINE_FILE]: JSON.stringify(createClineSettings(access)) }),
  },
  aider: {
    command: "aider",
    install: "pip install aider-chat",
    variables: ({ baseUrl, key, model }) => ({
      OPENAI_API_BASE: `${baseUrl}/v1`,
      OPENAI_API_KEY: key,
      AIDER_MODEL: `openai/${model}`,
    }),
  },
  goose: {
    command: "goose",
    install: "https://goose-docs.ai",
    variables: ({ baseUrl, key, model, contextLength }) => ({
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: model,
      ...(contextLength !== null && { GOOSE_CONTEXT_LIMIT: String(contextLength) }),
      OPENAI_HOST: new URL(baseUrl).origin,
      OPENAI_BASE_PATH: `${new URL(baseUrl).pathname.replaceAll(/^\/|\/$/g, "")}/v1/chat/completions`.replace(
        /^\//,
        "",
      ),
      OPENAI_API_KEY: key,
    }),
  },
} as const satisfies Readonly<Record<string, Program>>;

/** The name of a program that `feather launch` starts. */
export type ProgramName = keyof typeof PROGRAMS;

/** All names of programs. */
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];

/** Returns how many tokens an answer may have, so that most of the context is left for what the program sends. */
const toAnswerLength = (contextLength: number): number => Math.min(32_000, Math.floor(contextLength / 4));

function createOpencodeSettings({ baseUrl, key, model, contextLength }: ModelAccess) {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Feather",
    options: { baseURL: `${baseUrl}/v1`, apiKey: key },
    models: { [model]: toOpencodeLimits(contextLength) },
  };
  return { model: `feather/${model}`, small_model: `feather/${model}`, provider: { feather: provider } };
}

/** Returns the limits of a model; none where its context is unknown. */
const toOpencodeLimits = (contextLength: number | null) =>
  contextLength === null ? {} : { limit: { context: contextLength, output: toAnswerLength(contextLength) } };

function createClineSettings({ baseUrl, key, model, startedAt }: ModelAccess) {
  const settings = { provider: CLINE_PROVIDER, apiKey: key, model, baseUrl: `${baseUrl}/v1` };
  return {
    version: 1,
    lastUsedProvider: CLINE_PROVIDER,
    modes: {},
    providers: { [CLINE_PROVIDER]: { settings, updatedAt: startedAt.toISOString(), tokenSource: "manual" } },
  };
}
