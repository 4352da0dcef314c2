{{- define "feather.name" -}}
{{- if contains "feather" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-feather" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "feather.selector" -}}
app.kubernetes.io/name: feather
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "feather.labels" -}}
{{ include "feather.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Whether several pods may share the database. */}}
{{- define "feather.isReplicated" -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled }}true{{ end }}
{{- end }}
