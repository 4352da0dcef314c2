/** A task of the recorded session in the docs: a bash script. `isPipeline` tasks run without a terminal. */
export type SessionTask = {
  readonly title: string;
  readonly description: string;
  readonly script: string;
  readonly isPipeline?: true;
};

/** The files that exist when the session starts, by name. */
export const SESSION_FILES: Readonly<Record<string, string>> = {
  "error.log": "12:00:01 connect ECONNREFUSED 10.0.0.7:5432\n12:00:01 worker 3 exited with code 1\n",
  "deployment.yaml":
    "name: support-bot\nprovider_id: local\nregion: here\ninstance_type: cpu\nmodel_id: feather/demo\nmin_replicas: 1\nmax_replicas: 1\n",
  "broken.yaml": "name: support-bot\nprovider_id: local\nregion: here\ninstance_type: cpu\nmodle_id: feather/demo\n",
};

/** The tasks of the session, in order. */
export const SESSION_TASKS: readonly SessionTask[] = [
  {
    title: "Sign in",
    description: "A person signs in with the browser; here it is by password, so that it needs none.",
    script: "feather login --email maria@example.com --password-stdin < password.txt\nfeather whoami",
  },
  {
    title: "Find a model",
    description: "Tables fit the terminal. What does not fit goes first from the right; here 90 columns are enough.",
    script: "feather models list --search coder --size 15B..34B --limit 3\nfeather models show feather/demo",
  },
  {
    title: "Mistype",
    description: "What is close is named, and the exit code says what kind of mistake it was.",
    script: "feather models show feather/dmeo\necho $?\nfeather models list --serach coder\necho $?",
  },
  {
    title: "Ask",
    description:
      "`feather chat` alone is a conversation. With a prompt it is one answer, and what comes by a pipe goes before it.",
    script:
      'feather chat -m feather/demo --temperature 0 "Who are you?"\ncat error.log | feather chat -m feather/demo --temperature 0 "What went wrong?" > answer.txt\nwc -w < answer.txt',
  },
  {
    title: "Make a key for a pipeline",
    description: "The secret alone is on stdout, and shown this one time. Words are on stderr.",
    script:
      "feather keys create pipeline --scope api.access,deployments.write --expires 2099-01-01 > key.txt\nfeather keys list",
  },
  {
    title: "See what was used",
    description: "By day, hour, model, key or result; `--csv` is for spreadsheets.",
    script: "feather usage --last 24h --by model\nfeather usage --last 24h --by model --csv",
  },
  {
    title: "Sign in by the environment",
    description: "From here on it is a pipeline: no terminal, `CI` is set, and nothing is asked. Lists have tabs.",
    script:
      "export FEATHER_API_KEY=$(cat key.txt)\nfeather models list --warm\nfeather models list --warm --jq '.items[] | {id, units: .concurrency_cost}'",
    isPipeline: true,
  },
  {
    title: "Plan",
    description: "A file that is wrong is refused with line and column before anything happens.",
    script:
      "feather deployments apply -f broken.yaml --yes\necho $?\nfeather deployments apply -f deployment.yaml --dry-run",
    isPipeline: true,
  },
  {
    title: "Deploy",
    description: "Exactly this change is waited for. The second time there is nothing to do.",
    script:
      "feather deployments apply -f deployment.yaml --yes --wait --timeout 5m\nfeather deployments apply -f deployment.yaml --yes --wait\nfeather deployments show support-bot --json name,state,ready_replicas",
    isPipeline: true,
  },
  {
    title: "Call anything, and clean up",
    description: "Every call of the API is there with `feather api`.",
    script:
      "feather api GET /v1/plan --jq .name\nfeather api POST /v1/tokenize -f model=feather/demo -f text=Hello\nfeather deployments delete support-bot\necho $?\nfeather deployments delete support-bot --yes\nunset FEATHER_API_KEY\nfeather keys delete pipeline --yes\nfeather logout",
    isPipeline: true,
  },
];
