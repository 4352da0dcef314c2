"""Prints what Jinja2, set as transformers sets it, makes of each template of a folder with each conversation.

Usage: render_prompts.py FOLDER CONVERSATIONS.json [VARIABLES.json]. Prints JSON: {template: [{"text": ...} or
{"error": ...}, ...]}. VARIABLES.json is an object with further variables of the templates.
"""

import json
import sys
from datetime import datetime
from pathlib import Path

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class GenerationTag(Extension):
    """Renders what stands between `generation` and `endgeneration`, which transformers marks for training."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_render"), [], [], body).set_lineno(line)

    def _render(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def create_environment():
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment


def render(environment, source, conversation, variables):
    try:
        text = environment.from_string(source).render(
            messages=conversation["messages"],
            tools=conversation.get("tools"),
            documents=None,
            add_generation_prompt=True,
            bos_token="<s>",
            eos_token="</s>",
            **variables,
        )
        return {"text": text}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main(folder, conversations_path, variables_path=None):
    environment = create_environment()
    variables = json.loads(Path(variables_path).read_text()) if variables_path else {}
    conversations = json.loads(Path(conversations_path).read_text())
    prompts = {
        path.name: [render(environment, path.read_text(), conversation, variables) for conversation in conversations]
        for path in sorted(Path(folder).glob("*.jinja"))
    }
    print(json.dumps(prompts))


main(*sys.argv[1:])
