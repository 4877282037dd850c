{{- define "lastvalue.name" -}}
{{ .Values.nameOverride | default .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{/* The log of a cluster. NATS's chart names its service so. */}}
{{- define "lastvalue.log" -}}
{{- if .Values.cluster.log -}}
{{ .Values.cluster.log }}
{{- else if .Values.nats.enabled -}}
{{- $service := ternary .Release.Name (printf "%s-nats" .Release.Name) (contains "nats" .Release.Name) -}}
nats://lastvalue:$(LOG_PASSWORD)@{{ $service }}.{{ .Release.Namespace }}.svc:4222/{{ include "lastvalue.name" . | upper | replace "." "-" }}
{{- else -}}
{{ fail "a cluster needs a log: set nats.enabled, or cluster.log or cluster.logSecret to that of servers that are there" }}
{{- end -}}
{{- end }}

{{/* The secret with the password of the servers of the chart. */}}
{{- define "lastvalue.logSecret" -}}
{{ .Values.global.logSecret | default (printf "%s-log" .Release.Name) }}
{{- end }}

{{- define "lastvalue.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "lastvalue.labels" -}}
{{ include "lastvalue.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
