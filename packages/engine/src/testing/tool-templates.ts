/** Templates with the shapes of those that the families publish, and only as much of them as calls need. */

/** Llama 3.1: tools in the first question, one call per turn, as JSON. */
export const LLAMA_TEMPLATE = `{{- bos_token }}{%- if not tools is defined %}{%- set tools = none %}{%- endif %}
{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content']|trim %}{%- set messages = messages[1:] %}
{%- else %}{%- set system_message = "" %}{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}{%- if tools is not none %}{{- "Environment: ipython\\n" }}{%- endif %}
{{- system_message + "<|eot_id|>" }}
{%- if not tools is none %}{%- set first_user_message = messages[0]['content']|trim %}{%- set messages = messages[1:] %}
{{- '<|start_header_id|>user<|end_header_id|>\\n\\n' -}}
{{- 'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.\\n\\n' }}
{%- for t in tools %}{{- t | tojson(indent=4) }}{{- "\\n\\n" }}{%- endfor %}{{- first_user_message + "<|eot_id|>"}}{%- endif %}
{%- for message in messages %}
{%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
{%- elif 'tool_calls' in message %}{%- set tool_call = message.tool_calls[0].function %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
{{- '{"name": "' + tool_call.name + '", ' }}{{- '"parameters": ' }}{{- tool_call.arguments | tojson }}{{- "}<|eot_id|>" }}
{%- else %}{{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}{{- message.content | tojson }}{{- "<|eot_id|>" }}{%- endif %}
{%- endfor %}{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`;

/** Mistral Nemo: tools before the last question, calls as an array. */
export const MISTRAL_TEMPLATE = `{%- if not tools is defined %}{%- set tools = none %}{%- endif %}{{- bos_token }}
{%- set user_messages = messages | selectattr("role", "equalto", "user") | list %}
{%- for message in messages %}
{%- if message["role"] == "user" %}
{%- if tools is not none and (message == user_messages[-1]) %}{{- "[AVAILABLE_TOOLS]" }}{{- tools | tojson }}{{- "[/AVAILABLE_TOOLS]" }}{%- endif %}
{{- "[INST]" + message["content"] + "[/INST]" }}
{%- elif (message.tool_calls is defined and message.tool_calls is not none) %}{{- "[TOOL_CALLS][" }}
{%- for tool_call in message.tool_calls %}{%- set out = tool_call.function|tojson %}{{- out[:-1] }}
{{- ', "id": "' + (tool_call.id or "123456789") + '"}' }}{%- if not loop.last %}{{- ", " }}{%- else %}{{- "]" + eos_token }}{%- endif %}{%- endfor %}
{%- elif message["role"] == "assistant" %}{{- message["content"] + eos_token}}
{%- elif message["role"] == "tool" %}{{- '[TOOL_RESULTS]{"content": ' + message.content|string + "}[/TOOL_RESULTS]" }}
{%- elif message["role"] == "system" %}{{- "[INST]" + message["content"] + "[/INST]" }}{%- endif %}
{%- endfor %}`;

/** DeepSeek R1: no description of tools, calls with a type and a block of code, and a thought that the template opens. */
export const DEEPSEEK_R1_TEMPLATE = `{%- set ns = namespace(is_first=false, is_tool=false, system_prompt='') -%}
{%- for message in messages -%}{%- if message['role'] == 'system' -%}{%- set ns.system_prompt = message['content'] -%}{%- endif -%}{%- endfor -%}
{{bos_token}}{{ns.system_prompt}}
{%- for message in messages -%}
{%- if message['role'] == 'user' -%}{%- set ns.is_tool = false -%}{{'<｜User｜>' + message['content']}}{%- endif -%}
{%- if message['role'] == 'assistant' and message['tool_calls'] -%}{%- for tool in message['tool_calls']-%}
{{'<｜Assistant｜><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + tool['type'] + '<｜tool▁sep｜>' + tool['function']['name'] + '\\n' + '\`\`\`json' + '\\n' + tool['function']['arguments'] + '\\n' + '\`\`\`' + '<｜tool▁call▁end｜>'}}
{%- endfor -%}{{'<｜tool▁calls▁end｜><｜end▁of▁sentence｜>'}}{%- endif -%}
{%- if message['role'] == 'assistant' and message['content'] is not none -%}{%- set content = message['content'] -%}
{%- if '</think>' in content -%}{%- set content = content.split('</think>')[-1] -%}{%- endif -%}{{'<｜Assistant｜>' + content + '<｜end▁of▁sentence｜>'}}{%- endif -%}
{%- if message['role'] == 'tool' -%}{%- set ns.is_tool = true -%}{{'<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>' + message['content'] + '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>'}}{%- endif -%}
{%- endfor -%}{%- if add_generation_prompt and not ns.is_tool -%}{{'<｜Assistant｜><think>\\n'}}{%- endif %}`;

/** DeepSeek V3.1: no description of tools, calls with nothing but name and arguments. */
export const DEEPSEEK_V31_TEMPLATE = `{%- set ns = namespace(is_first=false, is_tool=false, system_prompt='', is_last_user=false) -%}
{%- for message in messages -%}{%- if message['role'] == 'system' -%}{%- set ns.system_prompt = message['content'] -%}{%- endif -%}{%- endfor -%}
{{ bos_token }}{{ ns.system_prompt }}
{%- for message in messages -%}
{%- if message['role'] == 'user' -%}{%- set ns.is_last_user = true -%}{{'<｜User｜>' + message['content']}}{%- endif -%}
{%- if message['role'] == 'assistant' and message['tool_calls'] is defined and message['tool_calls'] is not none -%}
{{'<｜Assistant｜></think>'}}{{ message['content'] or '' }}{{'<｜tool▁calls▁begin｜>'}}{%- for tool in message['tool_calls'] -%}
{{'<｜tool▁call▁begin｜>'+ tool['function']['name'] + '<｜tool▁sep｜>' + tool['function']['arguments'] + '<｜tool▁call▁end｜>'}}{%- endfor -%}
{{'<｜tool▁calls▁end｜><｜end▁of▁sentence｜>'}}{%- endif -%}
{%- if message['role'] == 'assistant' and (message['tool_calls'] is not defined or message['tool_calls'] is none) -%}
{{'<｜Assistant｜></think>' + message['content'] + '<｜end▁of▁sentence｜>'}}{%- endif -%}
{%- if message['role'] == 'tool' -%}{%- set ns.is_last_user = false -%}{{'<｜tool▁output▁begin｜>' + message['content'] + '<｜tool▁output▁end｜>'}}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt and ns.is_last_user -%}{{'<｜Assistant｜>'}}{%- if not thinking -%}{{'</think>'}}{%- else -%}{{'<think>'}}{%- endif -%}{%- endif %}`;

/** The form of Qwen3-Coder and others: tools with their parameters as XML, and one tag for each argument of a call. */
export const XML_TEMPLATE = `{%- macro describe(schema) %}{%- for name, field in schema.properties | items %}
{{- '\\n<parameter name="' ~ name ~ '" type="' ~ field.type ~ '">' ~ (field.description | default('', true) | trim) }}
{%- if field.default is defined %}{{- ' Default: ' ~ field.default }}{%- endif %}{{- '</parameter>' }}{%- endfor %}{%- endmacro %}
{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- set loop_messages = messages[1:] %}
{%- else %}{%- set system = '' %}{%- set loop_messages = messages %}{%- endif %}
{%- if system or tools %}{{- '<|im_start|>system\\n' + system }}
{%- if tools is iterable and tools | length > 0 %}{{- '\\n# Tools' }}{%- for tool in tools %}
{{- '\\n<function name="' ~ tool.function.name ~ '">' ~ tool.function.description | default('') }}{{- describe(tool.function.parameters) }}{{- '\\n</function>' }}
{%- endfor %}{%- endif %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- for message in loop_messages %}
{%- if message.role == 'assistant' and message.tool_calls is iterable and message.tool_calls | length > 0 %}
{{- '<|im_start|>assistant' }}{%- if message.content is string and message.content | trim %}{{- '\\n' + message.content | trim }}{%- endif %}
{%- for call in message.tool_calls %}{{- '\\n<tool_call>\\n<function=' + call.function.name + '>\\n' }}
{%- for name, value in call.function.arguments | items %}{{- '<parameter=' + name + '>\\n' }}
{%- set text = value | tojson if value is mapping or (value is sequence and value is not string) else value | string %}
{{- text }}{{- '\\n</parameter>\\n' }}{%- endfor %}{{- '</function>\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}
{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** gpt-oss: channels, tools in the developer message, one call per message. */
export const HARMONY_TEMPLATE = `{{- "<|start|>system<|message|>You are ChatGPT.\\n\\nReasoning: " + (reasoning_effort or "medium") + "<|end|>" }}
{%- if messages[0].role == "developer" or messages[0].role == "system" %}{%- set developer_message = messages[0].content %}{%- set loop_messages = messages[1:] %}
{%- else %}{%- set developer_message = "" %}{%- set loop_messages = messages %}{%- endif %}
{%- if developer_message or tools %}{{- "<|start|>developer<|message|>" + developer_message }}
{%- if tools -%}{{- "# Tools\\n\\nnamespace functions {\\n" }}{%- for tool in tools %}{{- "type " + tool.function.name + " = () => any;\\n" }}{%- endfor %}{{- "}" }}{%- endif -%}{{- "<|end|>" }}{%- endif %}
{%- for message in loop_messages -%}
{%- if message.role == 'assistant' -%}
{%- if "tool_calls" in message %}{%- set tool_call = message.tool_calls[0].function %}
{%- if message.thinking %}{{- "<|start|>assistant<|channel|>analysis<|message|>" + message.thinking + "<|end|>" }}{%- endif %}
{{- "<|start|>assistant to=functions." + tool_call.name + "<|channel|>commentary json<|message|>" }}{{- tool_call.arguments|tojson }}{{- "<|call|>" }}
{%- else %}{{- "<|start|>assistant<|channel|>final<|message|>" + message.content + "<|end|>" }}{%- endif %}
{%- elif message.role == 'tool' -%}{{- "<|start|>functions.lookup to=assistant<|channel|>commentary<|message|>" + message.content|tojson + "<|end|>" }}
{%- elif message.role == 'user' -%}{{- "<|start|>user<|message|>" + message.content + "<|end|>" }}{%- endif -%}
{%- endfor -%}{%- if add_generation_prompt -%}{{- "<|start|>assistant" }}{%- endif -%}`;
