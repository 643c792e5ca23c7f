{{- define "assize.selector" -}}
app.kubernetes.io/name: assize
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "assize.labels" -}}
{{ include "assize.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
