module example.com/license-manager-c

go 1.19

require example.com/license v0.0.0

replace example.com/license => ../go
