import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a program has to do. With a wrong key it must fail with a clear message. */
export type ClientTask = "chat" | "stream" | "tools" | "embeddings" | "models" | "wrong key";
/** The server's URL and key, the installed packages, and an empty home folder. */
export type ProgramEnvironment = {
  baseUrl: string;
  key: string;
  model: string;
  npm: string;
  python: string;
  home: string;
};
type ProgramCommand = { file: string; args: readonly string[]; env?: Record<string, string> };

/** A third-party client and how to run it. */
export type ClientProgram = {
  name: string;
  /** Pinned packages, installed into a separate folder. */
  npm?: readonly string[];
  pip?: readonly string[];
  tasks: readonly ClientTask[];
  command(task: ClientTask, environment: ProgramEnvironment): ProgramCommand;
};

const localFile = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const npmBin = (name: string, { npm }: ProgramEnvironment): string => join(npm, "node_modules", ".bin", name);
/** Returns a prompt that makes the program run a shell command. */
const shellPrompt = (task: ClientTask, shell: string, field: "command" | "cmd"): string =>
  task === "tools" ? `CALL ${shell} ${JSON.stringify({ [field]: "echo the-tool-ran" })}` : "ping";

const AGENT_TASKS: readonly ClientTask[] = ["chat", "stream", "tools", "wrong key"];

/** All tested clients. */
export const PROGRAMS: readonly ClientProgram[] = [
  {
    name: "Claude Code",
    npm: ["@anthropic-ai/claude-code@2.1.197"],
    tasks: AGENT_TASKS,
    command: (task, environment) => ({
      file: npmBin("claude", environment),
      args: [
        "-p",
        shellPrompt(task, "Bash", "command"),
        "--allowedTools",
        "Bash",
        ...(task === "stream" ? ["--output-format", "stream-json", "--verbose", "--include-partial-messages"] : []),
      ],
      env: {
        ANTHROPIC_BASE_URL: environment.baseUrl,
        ANTHROPIC_API_KEY: environment.key,
        ANTHROPIC_MODEL: environment.model,
        ANTHROPIC_SMALL_FAST_MODEL: environment.model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    }),
  },
  {
    name: "Codex",
    npm: ["@openai/codex@0.169.0"],
    tasks: AGENT_TASKS,
    command: (task, environment) => {
      const provider = `{name="feather",base_url="${environment.baseUrl}/v1",env_key="FEATHER_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
      const settings = [`model_provider="feather"`, `model_providers.feather=${provider}`];
      return {
        file: npmBin("codex", environment),
        args: [
          "exec",
          "--skip-git-repo-check",
          "--dangerously-bypass-approvals-and-sandbox",
          ...settings.flatMap((setting) => ["-c", setting]),
          ...(task === "stream" ? ["--json"] : []),
          "-m",
          environment.model,
          shellPrompt(task, "exec_command", "cmd"),
        ],
        env: { CODEX_HOME: environment.home },
      };
    },
  },
  {
    name: "opencode",
    npm: ["opencode-ai@1.18.33"],
    tasks: AGENT_TASKS,
    command: (task, environment) => {
      const options = { baseURL: `${environment.baseUrl}/v1`, apiKey: environment.key };
      const limit = { context: 40_960, output: 4_096 };
      const provider = { npm: "@ai-sdk/openai-compatible", options, models: { [environment.model]: { limit } } };
      const config = { permission: "allow", autoupdate: false, share: "disabled", provider: { feather: provider } };
      return {
        file: npmBin("opencode", environment),
        args: ["run", "-m", `feather/${environment.model}`, shellPrompt(task, "bash", "command")],
        env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
      };
    },
  },
  {
    name: "@openrouter/sdk",
    npm: ["@openrouter/sdk@1.3.19"],
    tasks: ["chat", "stream", "models", "wrong key"],
    command: (task, environment) => ({
      file: process.execPath,
      args: [localFile("openrouter.mjs"), task],
      env: { FEATHER_PACKAGES: environment.npm },
    }),
  },
  {
    name: "llm",
    pip: ["llm==0.36"],
    tasks: AGENT_TASKS,
    command: (task, environment) => {
      const model = {
        model_id: "feather",
        api_key_name: "feather",
        model_name: environment.model,
        api_base: `${environment.baseUrl}/v1`,
        supports_tools: true,
      };
      writeFileSync(join(environment.home, "extra-openai-models.yaml"), JSON.stringify([model])); // JSON is YAML
      const weather = "def weather(city: str) -> str:\n    return 'sunny in ' + city";
      const tools = task === "tools" ? ["--functions", weather] : [];
      const prompt = task === "tools" ? 'CALL weather {"city":"Oslo"}' : "ping";
      return {
        file: join(environment.python, "bin", "llm"),
        args: [
          "-m",
          "feather",
          "--key",
          environment.key,
          ...(task === "stream" ? [] : ["--no-stream"]),
          ...tools,
          prompt,
        ],
        env: { LLM_USER_PATH: environment.home },
      };
    },
  },
  ...createPythonProgram("litellm", "litellm==1.83.0", ["chat", "stream", "tools", "embeddings", "wrong key"]),
  ...createPythonProgram("pydantic-ai", "pydantic-ai-slim[openai]==2.32.2", AGENT_TASKS),
  ...createPythonProgram("instructor", "instructor==1.17.0", ["chat", "wrong key"]),
  ...createPythonProgram("openai-agents", "openai-agents==0.24.0", AGENT_TASKS),
  {
    name: "aider",
    pip: ["aider-chat==0.86.2"],
    tasks: ["chat", "stream", "wrong key"],
    command: (task, environment) => ({
      file: join(environment.python, "bin", "aider"),
      args: [
        ...[
          "--model",
          `openai/${environment.model}`,
          "--message",
          "ping",
          "--edit-format",
          "ask",
          "--no-git",
          "--yes-always",
        ],
        ...["--no-check-update", "--no-show-model-warnings", "--no-analytics", "--no-pretty", "--no-detect-urls"],
        task === "stream" ? "--stream" : "--no-stream",
      ],
      env: { OPENAI_API_BASE: `${environment.baseUrl}/v1`, OPENAI_API_KEY: environment.key },
    }),
  },
];

/** A Python library, called by `calls.py`. */
function createPythonProgram(name: string, pip: string, tasks: readonly ClientTask[]): ClientProgram[] {
  const command = (task: ClientTask, { python }: ProgramEnvironment) => ({
    file: join(python, "bin", "python"),
    args: [localFile("calls.py"), name, task],
  });
  return [{ name, pip: [pip], tasks, command }];
}
