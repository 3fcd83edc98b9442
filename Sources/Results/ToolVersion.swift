/// The version printed by `--version` and every report.
package let toolVersion = "0.1.0"
