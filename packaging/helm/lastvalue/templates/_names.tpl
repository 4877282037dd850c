{{- define "lastvalue.name" -}}
{{ .Values.nameOverride | default .Release.Name | trunc 52 | trimSuffix "-" }}
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
